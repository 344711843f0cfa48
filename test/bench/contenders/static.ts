import { readFileSync } from 'node:fs';
import fastify from 'fastify';
import { portOf, serveCommands } from './child.ts';

/* The transport's limit: the service's own answers, byte for byte, from memory. STATIC_FILES: name=file, ... */
const app = fastify();
for (const entry of (process.env['STATIC_FILES'] ?? '').split(',')) {
  const [name = '', file = ''] = entry.split('=');
  const bytes = readFileSync(file);
  const etag = `"${name}"`;
  app.get(`/${name}`, (request, reply) => {
    void reply.header('etag', etag);
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(bytes);
  });
}
await app.listen({ host: '127.0.0.1', port: 0 });
serveCommands(portOf(app.server.address()));
