import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '../config/limits.ts';
import { Failure, forbidden, unauthenticated } from '../errors.ts';
import { isHttps } from '../http/headers.ts';
import * as sessions from '../services/sessions.ts';
import type { RestApp } from './route.ts';

/* The one address where a cookie counts: the pages of this service exchange it for a short personal token, which they send elsewhere. */

const url = '/session';
/** Browsers take a cookie of this prefix only with `Secure`, for this host alone, and for all its paths. */
const name = '__Host-callboard';

export function sessionCookieRoutes({ http }: RestApp): void {
  const schema = { hide: true };

  http.post(url, { schema, config: { entry: sessions.use.operation } }, async (request, reply) => {
    requireOwnPage(request);
    const isLogIn = !isEmptyObject(request.body);
    const cookie = isLogIn ? await sessions.keep(request.scope, request.body as never) : cookieOf(request);
    if (cookie === undefined) throw unauthenticated('There is no lasting log-in: log in first.');
    const used = await sessions.use(request.scope, { cookie }).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'UNAUTHENTICATED') setCookie(reply, '', 0);
      throw error;
    });
    if (used.cookie !== null) setCookie(reply, used.cookie, used.endsInS);
    return { access_token: used.accessToken, token_type: 'Bearer', expires_in: used.expiresInS };
  });

  http.delete(url, { schema, config: { entry: sessions.revokeKept.operation } }, async (request, reply) => {
    requireOwnPage(request);
    const cookie = cookieOf(request);
    const isEnded = cookie !== undefined && (await sessions.revokeKept(request.scope, { cookie }));
    setCookie(reply, '', 0);
    return { ended: isEnded };
  });
}

/** Throws unless the browser says that a page of this origin sends the request. */
function requireOwnPage(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== 'same-origin' || origin !== `${isHttps(request) ? 'https' : 'http'}://${request.host}`)
    throw forbidden('Only the pages of this service may call this address: send a bearer credential to the others.');
}

const isEmptyObject = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;

function cookieOf({ headers }: FastifyRequest): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1, limits.textChars);
}

function setCookie(reply: FastifyReply, value: string, maxAgeS: number): void {
  reply.header('set-cookie', `${name}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; Secure; SameSite=Strict`);
}
