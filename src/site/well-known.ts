import type { FastifyInstance, FastifyRequest } from 'fastify';
import { limits } from '../config/limits.ts';

const dayMs = 24 * 3600 * 1000;

const text = { config: { entry: 'page', answer: 'document' }, schema: { hide: true } } as const;

/** Pages may be found by search engines; what needs a credential, and the probes, are of no use to them. */
const robots = `User-agent: *
Disallow: /v1/
Disallow: /api/
Disallow: /healthz
Disallow: /readyz
Disallow: /demo.json
`;

interface WellKnownParts {
  /** URI of who takes reports of weaknesses; null for the page of the service that says how. */
  readonly securityContact: string | null;
  readonly clock: () => Date;
  readonly originOf: (request: FastifyRequest) => string;
}

/** Serves /robots.txt, and /.well-known/security.txt as RFC 9116 describes it. */
export function wellKnown(app: FastifyInstance, { securityContact, clock, originOf }: WellKnownParts): void {
  app.get('/robots.txt', text, (_request, reply) => reply.type('text/plain; charset=utf-8').send(robots));
  app.get('/.well-known/security.txt', text, (request, reply) =>
    reply.type('text/plain; charset=utf-8').send(securityText(originOf(request), securityContact, clock())),
  );
}

function securityText(origin: string, contact: string | null, now: Date): string {
  const policy = `${origin}/guide/security`;
  // Moves on once a day, so that the file is never stale as long as the service runs.
  const expires = new Date((Math.floor(now.getTime() / dayMs) + limits.securityTextDays) * dayMs);
  return `Contact: ${contact ?? policy}
Expires: ${expires.toISOString()}
Policy: ${policy}
Preferred-Languages: en
Canonical: ${origin}/.well-known/security.txt
`;
}
