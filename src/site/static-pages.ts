import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { AnswerKind } from '../http/answer-headers.ts';
import { includesTag } from '../http/entity-tags.ts';
import { memoize } from '../memoize.ts';
import { originOf, writtenOrigin } from './origin.ts';

/**
 * Serves a page that stays the same as long as the process runs, but for the address in its examples; it is rendered when it is
 * first asked for. Browsers ask each time whether theirs still holds. `below` is a further address: with `/*`, all below this one.
 */
export function serveStatic(
  app: FastifyInstance,
  url: string,
  answer: AnswerKind,
  render: () => string,
  below = '/',
): void {
  const prepare = memoize(() => {
    const text = render();
    // Weak, because it is compressed in several ways.
    return { parts: text.split(writtenOrigin), digest: digest(text) };
  });
  for (const path of [url, url + below])
    app.get(path, { config: { entry: 'page', answer }, schema: { hide: true } }, (request, reply) => {
      const { parts, digest: known } = prepare();
      const origin = originOf(request);
      const etag = `W/"${parts.length > 1 ? digest(known + origin) : known}"`;
      reply.header('etag', etag);
      const held = request.headers['if-none-match'];
      if (held !== undefined && includesTag(held, etag)) return reply.code(304).send();
      return reply.type('text/html; charset=utf-8').send(parts.join(origin));
    });
}

const digest = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22);

/** Answers in place of a page whose files were not built. */
export function serveUnbuilt(app: FastifyInstance, url: string, text: string): void {
  app.get(url, { config: { entry: 'page', answer: 'page' }, schema: { hide: true } }, (_request, reply) =>
    reply.code(404).type('text/html; charset=utf-8').send(text),
  );
}
