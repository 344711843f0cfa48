import type { TestApp } from './app.ts';

interface SessionCall {
  readonly body?: unknown;
  readonly cookie?: string | undefined;
  /** Headers beyond those of a page; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** Calls the address of the cookie as a browser does that shows a page of the service. `kept` is the cookie that it has then. */
export async function callSession(
  service: Pick<TestApp, 'app'>,
  method: 'POST' | 'DELETE',
  { body, cookie, headers }: SessionCall,
) {
  const sent = {
    host: 'callboard.example',
    origin: 'http://callboard.example',
    'sec-fetch-site': 'same-origin',
    ...(cookie !== undefined && { cookie: `other=1; __Host-callboard=${cookie}` }),
    ...headers,
  };
  const given = Object.fromEntries(Object.entries(sent).filter((entry): entry is [string, string] => !!entry[1]));
  const reply = await service.app.http.inject({
    method,
    url: '/session',
    headers: given,
    ...(body !== undefined && { payload: body as object }),
  });
  const setCookie = reply.headers['set-cookie'] as string | undefined;
  const [, kept = cookie] = /^__Host-callboard=([^;]*)/.exec(setCookie ?? '') ?? [];
  return { status: reply.statusCode, body: reply.json(), setCookie, kept };
}
