import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { limits } from '../config/limits.ts';
import { arePagesBuilt, builtPages } from './built-pages.ts';

/** The favicon: a notice board with one call sheet pinned to it. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#a3341f"/><rect x="7" y="9" width="18" height="17" rx="2" fill="#fbfaf7"/><circle cx="16" cy="9" r="3" fill="#1d2430"/><path d="M11 16h10M11 21h6" stroke="#a3341f" stroke-width="2" stroke-linecap="round"/></svg>
`;

const asset = { config: { entry: 'page', answer: 'asset' }, schema: { hide: true } } as const;

/** Serves the files of the pages at /assets, compressed in advance, and the icon. */
export async function assets(app: FastifyInstance): Promise<void> {
  app.get('/favicon.svg', asset, (_request, reply) =>
    reply.type('image/svg+xml').header('cache-control', `public, max-age=${limits.assetMaxAgeS}`).send(icon),
  );
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
    setHeaders: (response) => void response.setHeader('vary', 'Accept-Encoding'),
    // File names contain a hash of the content.
    immutable: true,
    maxAge: limits.hashedAssetMaxAgeS * 1000,
  });
}
