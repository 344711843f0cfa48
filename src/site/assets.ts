import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { limits } from '../config/limits.ts';
import { arePagesBuilt, builtPages } from './built-pages.ts';

const asset = { config: { entry: 'page', answer: 'asset' }, schema: { hide: true } } as const;

/** Their addresses are fixed, because browsers ask for some of them without being told. */
const icons = ['favicon.svg', 'favicon.ico', 'apple-touch-icon.png'];

/** Serves the files of the pages at /assets, compressed in advance, and the icons. */
export async function assets(app: FastifyInstance): Promise<void> {
  if (!arePagesBuilt) return;
  app.addHook('onRoute', (route) => {
    route.config = { ...asset.config, ...route.config };
    route.schema = asset.schema;
  });
  await app.register(fastifyStatic, {
    root: `${builtPages}assets`,
    prefix: '/assets/',
    index: false,
    preCompressed: true,
    // Ranges are off: the files are small, and an impossible range would be answered as a malformed request.
    acceptRanges: false,
    setHeaders: (response) => void response.setHeader('vary', 'Accept-Encoding'),
    // File names contain a hash of the content.
    immutable: true,
    maxAge: limits.hstsMaxAgeS * 1000,
  });
  for (const icon of icons)
    app.get(`/${icon}`, (_request, reply) =>
      reply.sendFile(icon, `${builtPages}icons`, { immutable: false, maxAge: limits.browserCacheS * 1000 }),
    );
}
