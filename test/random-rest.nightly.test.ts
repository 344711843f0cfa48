import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { useService, type TestAnswer } from './support/app.ts';
import { isPhone, strictLogger } from './support/openapi.ts';
import { routesOf, type Route, writtenOut } from './support/parity.ts';
import { requestOf, type RandomRequest } from './support/random-requests.ts';
import {
  credentialFor,
  inTime,
  randomCalls,
  randomRoundsMax,
  seed,
  useRandomScene,
  isOfStaff,
} from './support/random-scene.ts';
import { takeShare } from './support/share.mjs';

/*
 * Random calls of every route, judged by the OpenAPI document alone: what it does not allow is refused, what is taken
 * over comes back as it was sent, and no answer is a fault of the service or another than the document shows.
 */

interface BodySchema {
  readonly required?: boolean;
  content: { 'application/json': { schema: object } };
}

const snapshot = JSON.parse(readFileSync(new URL('openapi.snapshot.json', import.meta.url), 'utf8')) as object;
const document = writtenOut(snapshot) as {
  paths: Record<string, Record<string, { operationId: string; requestBody?: BodySchema }>>;
};
/** A stream has no end, and its operation is that of a route that has one. */
const routes = routesOf(document).filter(({ path }) => !path.endsWith('/stream'));

const service = useService({
  env: { CALLBOARD_ANONYMOUS_PER_MINUTE: '1000000', CALLBOARD_ENTERPRISE_PER_MINUTE: '1000000' },
});
const scene = useRandomScene(service);

const isDate = (text: string) => {
  const at = new Date(`${text.replace(' ', 'T')}Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 19).replace('T', ' ') === text;
};

function isZone(text: string): boolean {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions();
    return timeZone !== '' && !/^[+-]/.test(text);
  } catch {
    return false;
  }
}

const ajv = new Ajv2020({ strict: false, validateFormats: true, logger: strictLogger });
// What the formats surely mean, told anew: none of the service's own checks may judge itself.
ajv.addFormat('wall-time', (text: string) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) && isDate(text));
ajv.addFormat('iana-zone', isZone);
ajv.addFormat('money', (text: string) => /^\d+(\.\d+)?$/.test(text));
ajv.addFormat('email-ascii', (text: string) => /^[\x21-\x7e]+@[a-z0-9.-]+$/i.test(text));
ajv.addFormat('date-time', (text: string) => !Number.isNaN(Date.parse(text)) && /^.{10}T.*(Z|[+-]..:..)$/.test(text));
ajv.addFormat('uuid', (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text));
ajv.addFormat('screen-code', (text: string) => text.replace(/[\s-]/g, '').length === 8);
ajv.addFormat('screen-secret', (text: string) => /^[\w-]{43}\.\d+$/.test(text));
ajv.addFormat('phone', isPhone);
ajv.addFormat('local-date', (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && isDate(`${text} 00:00:00`));
ajv.addFormat('time-of-day', (text: string) => /^\d\d:\d\d$/.test(text) && isDate(`2027-06-01 ${text}:00`));
ajv.addFormat('email-log-in', () => true);
ajv.addFormat('single-line', (text: string) => !/[\r\n]/.test(text));
ajv.addFormat('credential-scopes', (text: string) => /^\S+( \S+)*$/.test(text));
for (const bound of [90, 180])
  ajv.addFormat(`degrees-${bound}`, (text: string) => text !== '' && Math.abs(Number(text)) <= bound);

const bodyChecks = new Map(
  Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, requestBody }) =>
      requestBody
        ? [
            [
              operationId,
              {
                required: requestBody.required === true,
                check: ajv.compile(requestBody.content['application/json'].schema),
              },
            ] as const,
          ]
        : [],
    ),
);

/** Whether the document allows what was sent. */
function isAllowed({ operationId, takes }: Route, { query, body }: RandomRequest): boolean {
  const isQueryFine = Object.entries(query).every(([name, text]) => {
    const { type, items, enum: values, minimum = 0, maximum = Infinity } = takes[name]!.shape;
    if (items?.enum) return text.split(',').every((item) => items.enum!.some((value) => String(value) === item));
    if (values) return values.some((value) => String(value) === text);
    return type !== 'integer' || (/^\d+$/.test(text) && Number(text) >= minimum && Number(text) <= maximum);
  });
  const known = bodyChecks.get(operationId);
  // For null nothing is sent.
  return isQueryFine && (body === null && known ? !known.required : (known?.check(body) ?? true));
}

const isSuccess = ({ status }: TestAnswer) => status >= 200 && status < 300;

/** Text that no JSON consumer is sure to read, or the database to store. */
const isUnstorable = (body: unknown) => /\\u0000|\\ud[89a-f][0-9a-f]{2}/i.test(JSON.stringify(body) ?? '');

/** An instant is shown as a stamp in UTC, to the second, and a reason only where it was needed. */
const isShownOtherwise = (name: string) => name.endsWith('_at') || name === 'override_reason';

/** A flag may be sent as text, an amount with fewer decimals, and a uuid in capitals. */
function inWords(name: string, value: unknown): unknown {
  if (name.endsWith('rate')) return Number(value);
  return typeof value === 'boolean' || name.endsWith('uuid') ? String(value).toLowerCase() : value;
}

function expectEcho(body: unknown, { body: answer }: TestAnswer): void {
  const shown = (answer.data?.event ?? answer.data) as Record<string, unknown>;
  for (const [name, sent] of Object.entries(body as Record<string, unknown>))
    if (typeof sent === 'string' && name in shown && !isShownOtherwise(name))
      expect({ [name]: inWords(name, shown[name]) }).toEqual({ [name]: inWords(name, sent) });
}

function judge(route: Route, request: RandomRequest, answer: TestAnswer): void {
  const { body, query } = request;
  const { operationId } = route;
  expect(answer.status).toBeLessThan(500);
  // Each of several rows is refused by itself, in an answer that takes them all.
  if (operationId.endsWith('Many')) return;
  const isFine = isAllowed(route, request) && !isUnstorable(body);
  if (!isFine) expect({ query, body, isTaken: isSuccess(answer) }).toEqual({ query, body, isTaken: false });
  // What the document allows is not malformed: if refused, then for what its fields say.
  else expect(answer.status).not.toBe(400);
  if (answer.status === 422) expect(Object.keys(answer.body.errors ?? {})).not.toEqual([]);
  if (isSuccess(answer) && body && !operationId.startsWith('tokens.')) expectEcho(body, answer);
  expect(JSON.stringify(answer.body)).not.toMatch(/\bat [\w.<>]+ \(|SELECT |INSERT |prisma/i);
}

/** Routes that end credentials are called with one that nobody needs afterwards. */
const endsCredentials = (operationId: string) => /^(tokens|apiKeys|sessions)\.revoke/.test(operationId);

const isOfScreens = (operationId: string) => /^screens\.(\w+Own|readBoard)$|^attendance\.\w*Screen/.test(operationId);

/** A random call is not expected to guess a password, or the name of a key or of a feed. */
const mayFailAlways = [
  ...['tokens.login', 'apiKeys.revoke', 'passwords.change', 'feeds.rotate', 'feeds.revoke'],
  // Nor the secret of an invitation, who has no password yet, or which log-ins there are.
  ...['invitations.claim', 'invitations.create', 'sessions.revoke'],
  // Nor the secrets of links in mails, which this service does not send.
  ...['mails.showOffer', 'mails.answerOffer', 'mails.unsubscribe', 'passwords.forget', 'passwords.setForgotten'],
  // Nor a place that the person of a shift is free for.
  ...['workShifts.move', 'workShifts.moveMany'],
  // Nor the versions of several rows at once.
  'callTimes.changeMany',
  // Nor who has come already, and on which screen people check in.
  ...['attendance.checkOut', 'attendance.approve', 'attendance.checkOnScreen', 'attendance.readScreenCode'],
  // Nor the id of the address once more in the body.
  'events.upsert',
  // The caller is an admin, who has no own events and shifts.
  ...['events.listOwn', 'workShifts.listOwn'],
];

const operationIds = routes.map(({ operationId }) => operationId);

test.each(takeShare('random calls of REST', operationIds, 4))(
  'random calls of %s are all answered as documented',
  async (operationId) => {
    const route = routes.find((each) => each.operationId === operationId)!;
    /** Returns how many calls succeed. */
    const call = async (round: number): Promise<number> => {
      let successes = 0;
      await fc.assert(
        fc.asyncProperty(requestOf(route, scene), async (request) => {
          const isEnding = endsCredentials(operationId);
          const { admin, staff } = scene.tenant;
          const caller = isOfStaff(operationId) ? staff : admin;
          const as = await credentialFor(service, scene, { isOfScreens: isOfScreens(operationId), isEnding, caller });
          const { url, body } = request;
          const answer = await inTime(`${route.method} ${url}`, service.call(route.method, url, { as, body }));
          judge(route, request, answer);
          if (isSuccess(answer)) successes += 1;
        }),
        {
          numRuns: Math.ceil(randomCalls.rest / routes.length),
          seed: seed + round,
          interruptAfterTimeLimit: 280_000,
          markInterruptAsFailure: true,
        },
      );
      return successes;
    };
    // A route for which no call of a round succeeds gets more of them.
    let successes = await call(0);
    for (let round = 1; round < randomRoundsMax && successes === 0 && !mayFailAlways.includes(operationId); round++)
      successes = await call(round);
    if (!mayFailAlways.includes(operationId)) expect(successes).toBeGreaterThan(0);
  },
);
