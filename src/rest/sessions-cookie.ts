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
    requireOwnPage(request, (request.body as { keep?: unknown } | null)?.keep === false);
    const opened = isEmptyObject(request.body) ? null : await sessions.open(request.scope, request.body as never);
    if (opened && 'accessToken' in opened) return tokenView(opened.accessToken, limits.credentialLifetimeS);
    const cookie = opened ? opened.cookie : cookieOf(request);
    if (cookie === undefined) throw unauthenticated('There is no lasting log-in: log in first.');
    const used = await sessions.use(request.scope, { cookie }).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'UNAUTHENTICATED') setCookie(reply, '', 0);
      throw error;
    });
    if (used.cookie !== null) setCookie(reply, used.cookie, used.endsInS);
    return tokenView(used.accessToken, used.expiresInS);
  });

  http.delete(url, { schema, config: { entry: sessions.revokeKept.operation } }, async (request, reply) => {
    requireOwnPage(request);
    const cookie = cookieOf(request);
    const isEnded = cookie !== undefined && (await sessions.revokeKept(request.scope, { cookie }));
    setCookie(reply, '', 0);
    return { ended: isEnded };
  });
}

const tokenView = (accessToken: string, expiresInS: number) => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: expiresInS,
});

/**
 * Throws unless the browser says that a page of this origin sends the request. Browsers send `Sec-Fetch-Site` over https and to
 * this machine alone, where alone they keep the cookie; a log-in without one needs none.
 */
function requireOwnPage(request: FastifyRequest, isWithoutCookie = false): void {
  const { origin, 'sec-fetch-site': site = isWithoutCookie ? 'same-origin' : undefined } = request.headers;
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
