import { beforeAll, expect, test } from '@jest/globals';
import type { Event } from '../../src/generated/prisma/client.ts';
import { signingSecret } from './config.ts';
import { password, type Tenant } from './factories.ts';
import { borrowPackage, type PackagedService } from './package.ts';
import { exchange, written, type Sent, type Wire, type WireAnswer } from './wire.ts';

/* Bad input as data: the bytes sent over a socket, and the expected answer. */

/** The expected answer. Code and fields are checked in the envelope and spelling of the API that was called. */
export interface Verdict {
  readonly status: number | readonly number[];
  readonly code?: string;
  readonly fields?: readonly string[];
  readonly headers?: Readonly<Record<string, unknown>>;
  /** The service ends the connection by itself. */
  readonly closes?: boolean;
  /** Log messages that must alert the operator. */
  readonly alerts?: readonly string[];
  /** Whether the case is expected to store something. */
  readonly writes?: boolean;
}

export interface Case {
  readonly wire: Wire;
  readonly verdict: Verdict;
  readonly also?: ((answer: WireAnswer, scene: Scene) => void | Promise<void>) | undefined;
}

/** A bad input: its title and the requests to send. */
export interface BadInput {
  readonly title: string;
  readonly cases: (scene: Scene) => Case[] | Promise<Case[]>;
}

export interface Scene {
  readonly service: PackagedService;
  readonly port: number;
  readonly tenant: Tenant;
  /** Another business. */
  readonly other: Tenant;
  /** No case may change this event; it is compared after each case. */
  readonly event: Event;
  readonly otherEvent: Event;
  /** What the service has logged of the case. */
  readonly log: string[];
}

export const badRequest: Verdict = { status: 400, code: 'BAD_REQUEST' };
export const invalidFields = (...fields: string[]): Verdict => ({ status: 422, code: 'VALIDATION_FAILED', fields });
export const unauthenticated: Verdict = {
  status: 401,
  code: 'UNAUTHENTICATED',
  headers: { 'www-authenticate': 'Bearer' },
};
export const notFound: Verdict = { status: 404, code: 'NOT_FOUND' };
export const methodNotAllowed = (allow: string): Verdict => ({
  status: 405,
  code: 'METHOD_NOT_ALLOWED',
  headers: { allow },
});
export const tooLarge: Verdict = { status: 413, code: 'PAYLOAD_TOO_LARGE' };
export const unsupportedType: Verdict = { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' };
/** A GraphQL error about the document or its variables. */
export const graphqlError = (code: string, status = 400): Verdict => ({ status, code });
/** A GraphQL error of a field: the request itself was fine. */
export const field = (verdict: Verdict): Verdict => ({ ...verdict, status: 200 });
export const ok: Verdict = { status: 200 };
export const created: Verdict = { status: 201, writes: true };

export const given = (verdict: Verdict, wire: Wire, also?: Case['also']): Case => ({ verdict, wire, also });

/** Calls of GraphQL by POST. */
export const asked = (query: string, { variables, ...sent }: Sent & { variables?: object } = {}): string =>
  written('POST', '/graphql', { body: { query, variables }, ...sent });

export const newEvent = {
  title: 'Spring gala',
  start_time: '2026-12-31 18:00:00',
  end_time: '2027-01-01 02:00:00',
  timezone: 'America/New_York',
};

/** Runs the rows, with two businesses of their own. After each row all is as it was, and the next request is answered. */
export function bearsBadInput(rows: readonly BadInput[]): void {
  let scene: Scene;
  let normal: unknown;
  let logged = 0;

  beforeAll(async () => {
    const env = { CALLBOARD_ANONYMOUS_PER_MINUTE: '100000', CALLBOARD_REFUSE_COMMON_PASSWORDS: 'true' };
    const service = await borrowPackage(env);
    logged = (await service.readLog()).length;
    const [tenant, other] = [await service.createTenant(), await service.createTenant()];
    scene = {
      service,
      port: Number(new URL(await service.listen()).port),
      log: [],
      tenant,
      other,
      event: await service.createEvent(tenant.business),
      otherEvent: await service.createEvent(other.business),
    };
    normal = await readNormally(scene);
  });

  test.each(rows.map((row) => [row.title, row] as const))('%s', async (_title, { cases }) => {
    const all = await cases(scene);
    let before = await stored(scene);
    for (const one of all) {
      const answer = await exchange(scene.port, one.wire);
      const lines = await scene.service.readLog();
      scene.log.splice(0, Infinity, ...lines.slice(logged));
      logged = lines.length;
      const of = String(one.wire).slice(0, 200);
      expectVerdict(of, one.verdict, answer);
      expectNoLeak(of, one, answer, scene);
      await one.also?.(answer, scene);
      if (one.verdict.writes) before = await stored(scene);
    }
    expect(await stored(scene)).toEqual(before);
    expect(await readNormally(scene)).toEqual(normal);
  });
}

async function readNormally({ port, tenant, event }: Scene): Promise<unknown> {
  const { status, body } = await exchange(port, written('GET', `/v1/events/${event.uuid}`, { as: tenant.as.admin }));
  expect({ status, message: body.message }).toEqual({ status: 200, message: '' });
  return body;
}

function expectVerdict(of: string, verdict: Verdict, answer: WireAnswer): void {
  const { status, code, fields, headers = {}, closes = false } = verdict;
  const right = [status].flat().find((one) => one === answer.status) ?? status;
  const told = answer.text.slice(0, 600);
  expect({ of, status: answer.status, told }).toEqual({ of, status: right, told });
  expect({ of, headers: answer.headers }).toMatchObject({ of, headers });
  if (answer.status === 429 || answer.status === 503)
    expect({ of, wait: Number(answer.headers['retry-after']) > 0 }).toEqual({ of, wait: true });
  if (closes) expect({ of, isClosed: answer.isClosed }).toEqual({ of, isClosed: true });
  if (code === undefined) return;
  expect(answer.headers['content-type']).toMatch(/^application\/(graphql-response\+)?json; ?charset=utf-8/);
  const failure = failureIn(of, answer.body);
  expect({ of, ...failure }).toEqual({ of, code, fields: fields?.toSorted() ?? failure.fields });
  if (code === 'VALIDATION_FAILED') expect({ of, named: failure.fields.length > 0 }).toEqual({ of, named: true });
}

/** The failure in the envelope of its surface, which holds nothing else. */
function failureIn(of: string, body: WireAnswer['body']): { code: string; fields: string[] } {
  const path = of.split(' ')[1] ?? '';
  const message = expect.stringMatching(/\S/);
  // A request that is refused before routing gets the common envelope.
  const isCommon = 'success' in body;
  if (path.startsWith('/graphql') && !isCommon) {
    const [{ extensions }] = body.errors;
    expect(body.errors.length).toBeLessThanOrEqual(5);
    for (const error of body.errors) expect(error).toMatchObject({ message, extensions: { code: expect.any(String) } });
    return { code: extensions.code, fields: Object.keys(extensions.errors ?? {}).sort() };
  }
  const { errors = {}, ...rest } = body;
  const envelope = path.startsWith('/api/v1') && !isCommon ? {} : { success: false, data: null };
  expect({ of, ...rest }).toEqual({ of, ...envelope, message, code: expect.any(String) });
  return { code: body.code, fields: Object.keys(errors).sort() };
}

const leaks =
  /\n\s*at |\\n\s+at |:\d+:\d+\)|node_modules|\b(SELECT|INSERT|UPDATE|DELETE)\b[^.]*\b(FROM|INTO|SET)\b|[Pp]risma|argon2|P20\d\d/;

/** No stack, no SQL, no secret: not in a refusal, and never in the log. */
function expectNoLeak(of: string, { verdict }: Case, { text, status }: WireAnswer, { tenant, log }: Scene): void {
  const lines = log.join('');
  const secrets = [password, signingSecret, ...Object.values(tenant.as)];
  const told = status >= 400 ? text + lines : lines;
  expect({ of, verdict, leak: leaks.exec(told)?.[0] }).toEqual({ of, verdict, leak: undefined });
  for (const secret of secrets) expect({ of, isTold: told.includes(secret) }).toEqual({ of, isTold: false });
  const alerts = log
    .map((text) => JSON.parse(text) as { level: number; msg: string })
    .filter(({ level }) => level >= 50);
  expect({ of, alerts: alerts.map(({ msg }) => msg) }).toEqual({ of, alerts: verdict.alerts ?? [] });
}

/** A digest of all rows. Time of last use and audit entries are left out, because refused calls change them. */
async function stored({ service: { prisma } }: Scene): Promise<unknown> {
  tables ??= (
    await prisma.$queryRawUnsafe<{ name: string }[]>(
      `SELECT table_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name = 'business_id' AND table_name <> 'audit_entries'
        UNION SELECT 'businesses' ORDER BY name`,
    )
  ).map(({ name }) => name);
  const digests = tables.map(
    (table) =>
      `SELECT '${table}' AS name, md5(string_agg(row, ',' ORDER BY row)) AS digest
         FROM (SELECT (to_jsonb(t) - 'last_used_at')::text AS row FROM ${table} t) ${table}`,
  );
  return prisma.$queryRawUnsafe(`${digests.join(' UNION ALL ')} ORDER BY name`);
}

let tables: string[] | undefined;
