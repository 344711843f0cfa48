import type { FastifyInstance } from 'fastify';
import type { OpenApiDocument } from './reference/document.ts';
import { referencePage } from './reference/page.ts';
import { serveStatic } from './static-pages.ts';

/** Serves the reference of the REST API at /docs. */
export function docs(app: FastifyInstance): void {
  serveStatic(app, '/docs', 'guide', () => referencePage(app.swagger() as unknown as OpenApiDocument));
}
