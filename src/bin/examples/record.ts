import { isDeepStrictEqual } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { pino } from 'pino';
import { createPasswords } from '../../access/passwords.ts';
import { buildApp, type App } from '../../app.ts';
import { loadConfig } from '../../config/config.ts';
import type { Example, Examples } from '../../rest/examples.ts';
import { hideChanging } from './hide.ts';
import { readOperations, sendingOrder, type DescribedOperation } from './operations.ts';
import { KnownRows, nounOfPath, type RowId } from './rows.ts';
import { createExampleScene, exampleMoment, exampleSecrets, logInAsExample, otherCallers } from './scene.ts';
import { objectFor, valueFor } from './values.ts';

type Request = Example['request'];

interface SentAnswer {
  readonly status: number;
  readonly body: unknown;
  /** The demo user who may send the request, if the admin may not. */
  readonly caller?: string;
}

export interface Recording {
  readonly examples: Readonly<Record<string, Example>>;
  /** Operations without a request that the service accepts, each with the last refusal and what to do. */
  readonly refused: readonly string[];
}

/** How many rows of a list an example shows. */
const itemsShown = 2;
const attemptsMax = 12;
const passesMax = 4;

/**
 * Sends a request for each operation over the demo data, and records the answers. The requests of earlier examples are tried
 * first. A refused request may use up an id, so everything is sent again, from the beginning, until nothing is refused: then
 * the examples can be repeated.
 */
export async function recordExamples(before: Examples): Promise<Recording> {
  let requests = requestsOf(before);
  for (let pass = 1; ; pass++) {
    const { recording, retries } = await recordOnce(requests);
    if (retries === 0 || recording.refused.length > 0)
      return { ...recording, examples: hideChanging(recording.examples) };
    if (pass === passesMax) throw new Error('The examples differ each time that they are recorded.');
    requests = requestsOf(recording.examples);
  }
}

type Requests = Readonly<Record<string, Request>>;

const requestsOf = (examples: Examples): Requests =>
  Object.fromEntries(Object.entries(examples).flatMap(([id, example]) => (example ? [[id, example.request]] : [])));

async function recordOnce(known: Requests) {
  const config = loadConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    JWT_SECRETS: exampleSecrets,
    // Nothing is sent: no job runs.
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'no-reply@callboard.example',
    PUBLIC_URL: 'https://staff.callboard.example',
    // Nothing ends early because the machine is busy: another row would be tried, and the example would be another.
    CALLBOARD_BLOCKED: '600000',
    CALLBOARD_DB_STATEMENT_TIMEOUT: '60000',
    CALLBOARD_DB_QUERY_TIMEOUT: '60000',
    CALLBOARD_DB_TRANSACTION_TIMEOUT: '60000',
  });
  const pglite = await PGlite.create();
  const app = await buildApp(config, {
    log: pino({ level: 'silent' }),
    clock: () => new Date(exampleMoment),
    database: { openPglite: async () => pglite },
    examples: {},
  });
  try {
    await app.database.migrate();
    await createExampleScene(app.database.prisma, createPasswords(config.auth).hash);
    const recorder = new Recorder(app);
    const recording = await recorder.record(readOperations(app.http.swagger()), known);
    return { recording, retries: recorder.retries };
  } finally {
    await app.close();
  }
}

class Recorder {
  retries = 0;
  readonly #app: App;
  readonly #rows = new KnownRows();
  #token = '';

  constructor(app: App) {
    this.#app = app;
  }

  async record(operations: readonly DescribedOperation[], known: Requests): Promise<Recording> {
    const examples: Record<string, Example> = {};
    const refused = new Map<string, string>();
    await this.#readRows(operations);
    const recordOne = async (operation: DescribedOperation) => {
      const { request, answer } = await this.#tryRequests(operation, fitting(operation, known[operation.id]));
      const fault = `${operation.id}: ${JSON.stringify(request)} got ${JSON.stringify(answer)}\n${adviceFor(operation)}`;
      if (answer.status >= 300) return void refused.set(operation.id, fault);
      refused.delete(operation.id);
      examples[operation.id] = await this.#toExample(operation, request, answer);
    };
    const deletions = operations.filter((operation) => sendingOrder(operation) > 1);
    for (const operation of operations) if (!deletions.includes(operation)) await recordOne(operation);
    // Rows that no list without a parameter shows, or that the demo data do not have, are known by now.
    for (const operation of operations)
      if (operation.method === 'GET' && (refused.has(operation.id) || isEmpty(examples[operation.id]?.answer)))
        await recordOne(operation);
    for (const operation of deletions) await recordOne(operation);
    return { examples, refused: [...refused.values()] };
  }

  /** Reads all lists. The rows with the most in them come first, because they make the best examples. */
  async #readRows(operations: readonly DescribedOperation[]): Promise<void> {
    for (const { method, path, parameters } of operations) {
      if (method !== 'GET' || path.includes('{')) continue;
      const has = (name: string) => parameters.some((parameter) => parameter.name === name);
      const isActive = parameters.some(({ name, schema }) => name === 'status' && schema.enum?.includes('active'));
      const query = { ...(has('per_page') && { per_page: 100 }), ...(isActive && { status: 'active' }) };
      const { status, body } = await this.#send('GET', path, { query });
      if (status === 200) this.#rows.read(path, richestFirst(body));
    }
  }

  /** Sends the known request, or new ones with other rows until one is accepted. */
  async #tryRequests(operation: DescribedOperation, known: Request | undefined) {
    let first: { request: Request; answer: SentAnswer } | undefined;
    for (let attempt = 0; ; attempt++) {
      const request = attempt === 0 && known ? known : this.#makeRequest(operation, attempt);
      const answer = await this.#send(operation.method, operation.path, request);
      const isAccepted = answer.status < 300;
      if (isAccepted && operation.method !== 'DELETE') this.#rows.read(operation.path, answer.body);
      if (isAccepted && !(operation.path.includes('{') && isEmpty(answer.body) && operation.method === 'GET'))
        return { request, answer };
      if (isAccepted) first ??= { request, answer };
      else if (operation.method !== 'GET') this.retries++;
      if (attempt === attemptsMax) return first ?? { request, answer };
    }
  }

  #makeRequest({ method, path, parameters, body, bodyExample }: DescribedOperation, attempt: number): Request {
    // Rows that were created last are in use by nothing, and can be deleted.
    const inOrder = (rows: readonly RowId[]) => (method === 'DELETE' ? rows.toReversed() : rows);
    const choose = (near: string) => ({ rows: (name: string) => inOrder(this.#rows.candidates(name, near)), attempt });
    const named = parameters.filter((each) => each.in === 'path');
    const asked = parameters.filter(
      (each) => each.in === 'query' && (each.required === true || each.schema['x-in-example'] === true),
    );
    const valueOf = ({ name, schema }: (typeof parameters)[number]) => {
      const before = path.slice(0, path.indexOf(`/{${name}}`));
      // An id with a name of its own, such as `keyId`, is that of a row in the list before it. A text called `id` is the caller's own.
      const isOwn = name === 'id' && schema.type === 'string';
      const own = isOwn ? 'external id' : name.endsWith('Id') ? 'id' : name;
      return valueFor(own, schema, choose(nounOfPath(before) || (before.split('/').at(-1) ?? '')));
    };
    const valuesOf = (of: typeof parameters) =>
      Object.fromEntries(of.map((each) => [each.name, valueOf(each) as string | number]));
    return {
      ...(named.length > 0 && { path: valuesOf(named) }),
      ...(parameters.some(({ name }) => name === 'per_page')
        ? { query: { ...valuesOf(asked), per_page: itemsShown } }
        : asked.length > 0 && { query: valuesOf(asked) }),
      ...(body && { body: bodyExample ?? objectFor(body, choose(nounOfPath(path))) }),
    };
  }

  async #toExample(
    { method, path, hasCsv, hasFull }: DescribedOperation,
    request: Request,
    { status, body, caller }: SentAnswer,
  ) {
    const csv = hasCsv ? await this.#send(method, path, request, 'text/csv') : null;
    const inFull = { ...request, query: { ...request.query, fields: 'full' } };
    const full = hasFull ? await this.#send(method, path, inFull) : null;
    return {
      request,
      ...(caller !== undefined && { caller }),
      status,
      answer: shorten(body),
      ...(csv && { csv: firstLines(String(csv.body)) }),
      ...(full && { full: shorten(full.body) }),
    };
  }

  /** Logs in again if the credential was revoked, and as somebody else if the role of the admin is refused. */
  async #send(
    method: DescribedOperation['method'],
    path: string,
    request: Request,
    accept?: string,
  ): Promise<SentAnswer> {
    let answer = await this.#sendAs(this.#token, method, path, request, accept);
    if (answer.status === 401) {
      this.#token = await this.#logIn();
      answer = await this.#sendAs(this.#token, method, path, request, accept);
    }
    if (answer.status !== 403) return answer;
    for (const caller of otherCallers) {
      const allowed = await this.#sendAs(await this.#logIn(caller), method, path, request, accept);
      if (allowed.status !== 403) return { ...allowed, caller };
    }
    return answer;
  }

  #logIn(email?: string): Promise<string> {
    const send = async (body: object) => (await this.#sendAs('', 'POST', '/v1/auth/login', { body })).body;
    return logInAsExample(send, email);
  }

  async #sendAs(
    token: string,
    method: DescribedOperation['method'],
    path: string,
    { path: named = {}, query = {}, body }: Request,
    accept = 'application/json',
  ): Promise<SentAnswer> {
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(named[name] ?? ''));
    const reply = await this.#app.http.inject({
      method,
      url: address,
      query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
      headers: { accept, 'x-request-id': 'example-request', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { payload: body as object }),
    });
    // The fault is not in the row, so no other one is tried.
    if (reply.statusCode >= 500) throw new Error(`${method} ${address} got ${reply.statusCode}: ${reply.body}`);
    const isJson = String(reply.headers['content-type']).includes('json');
    return { status: reply.statusCode, body: isJson ? reply.json() : reply.body };
  }
}

const adviceFor = ({ body }: DescribedOperation): string =>
  body
    ? 'Give the route one: `example` in its record, the body to send. If it names a row, there must be one, as for a read.'
    : 'Give the demo data a row that it can name, in src/bin/seed/, or the scene of the examples alone, in src/bin/examples/scene.ts.';

/** An earlier request counts as long as the route gives no other body. */
function fitting({ bodyExample }: DescribedOperation, known: Request | undefined): Request | undefined {
  return bodyExample === undefined || isDeepStrictEqual(bodyExample, known?.body) ? known : undefined;
}

/** Whether an answer shows no row: it is a list, or a page of one, without items. */
function isEmpty(answer: unknown): boolean {
  const { data } = (answer ?? {}) as { data?: unknown };
  const items = Array.isArray(data) ? data : (data as { data?: unknown } | null | undefined)?.data;
  return Array.isArray(items) && items.length === 0;
}

function richestFirst(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.toSorted((a, b) => JSON.stringify(b).length - JSON.stringify(a).length);
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(Object.entries(answer).map(([name, inner]) => [name, richestFirst(inner)]));
}

/** Cuts every list after its first items. */
function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, itemsShown).map(shorten);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shorten(inner)]));
}

/** The header row, and the first row if it is on one line. */
function firstLines(csv: string): string {
  const [header = '', first = ''] = csv.split('\r\n');
  return first.includes('"') ? `${header}\r\n` : `${header}\r\n${first}\r\n`;
}
