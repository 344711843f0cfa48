import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { coerceInputValue, isNonNullType, type GraphQLField } from 'graphql';
import { createSchema } from '../src/nouns.ts';
import { useService, type TestAnswer } from './support/app.ts';
import { operationOf, variablesOf } from './support/random-operations.ts';
import {
  inTime,
  randomCalls,
  credentialFor,
  randomRoundsMax,
  seed,
  useRandomScene,
  isOfStaff,
} from './support/random-scene.ts';
import { takeShare } from './support/share.mjs';

/*
 * Random calls of every root field, judged by the types of its arguments: variables that do not fit are refused as such,
 * others get an answer or a failure of a known kind, and what is taken over comes back as it was sent.
 */

const service = useService({
  env: { CALLBOARD_ANONYMOUS_PER_MINUTE: '1000000', CALLBOARD_ENTERPRISE_PER_MINUTE: '1000000' },
});
const scene = useRandomScene(service);

type Field = GraphQLField<unknown, unknown>;

const schema = createSchema();
const fields = (['query', 'mutation'] as const).flatMap((kind) =>
  Object.values((kind === 'query' ? schema.getQueryType() : schema.getMutationType())!.getFields()).map((field) => ({
    kind,
    name: field.name,
    field: field as Field,
  })),
);

/** Kinds of failure that a caller can bring about with an operation that is valid but for its values. */
const knownCodes = new Set([
  'BAD_USER_INPUT',
  'VALIDATION_FAILED',
  'NOT_FOUND',
  'CONFLICT',
  'CLASH',
  'OFFER_CLOSED',
  'LAST_ADMIN',
  'FORBIDDEN',
  'INVALID_CREDENTIALS',
  'RATE_LIMITED',
  'CURSOR_EXPIRED',
  'PRECONDITION_FAILED',
  'IDEMPOTENCY_KEY_REUSED',
  'GRAPHQL_LIMIT_EXCEEDED',
]);

/** Whether the variables fit the types of the arguments; JSON has neither -0 nor more than a number's precision. */
function fits({ args }: Field, variables: Record<string, unknown>): boolean {
  let isFitting = true;
  const sent = JSON.parse(JSON.stringify(variables)) as Record<string, unknown>;
  for (const { name, type } of args) {
    if (name in sent) coerceInputValue(sent[name], type, () => (isFitting = false));
    else if (isNonNullType(type)) isFitting = false;
  }
  return isFitting;
}

const failuresOf = ({ body }: TestAnswer) =>
  (body.errors ?? []) as { message: string; extensions: { code: string; errors?: object } }[];

function judge(field: Field, variables: Record<string, unknown>, answer: TestAnswer): void {
  const failures = failuresOf(answer);
  expect(answer.status).toBeLessThan(500);
  for (const { extensions } of failures) expect([...knownCodes]).toContain(extensions.code);
  if (!fits(field, variables)) {
    expect({ variables, data: answer.body.data?.it ?? null }).toEqual({ variables, data: null });
    expect(failures.map(({ extensions }) => extensions.code)).toContain('BAD_USER_INPUT');
  } else if (failures.length === 0) {
    expect(answer.body.data).toHaveProperty('it');
    expectEcho(variables, answer.body.data.it);
  }
  for (const { extensions } of failures)
    if (extensions.code === 'VALIDATION_FAILED') expect(Object.keys(extensions.errors ?? {})).not.toEqual([]);
  expect(JSON.stringify(answer.body)).not.toMatch(/\bat [\w.<>]+ \(|SELECT |INSERT |prisma/i);
}

/** Text comes back as it was sent: `''` as null, and numbers written as text in their own form. */
function expectEcho(variables: Record<string, unknown>, it: unknown): void {
  const input = variables['input'];
  if (typeof input !== 'object' || input === null || typeof it !== 'object' || it === null) return;
  const shown = it as Record<string, unknown>;
  for (const [name, sent] of Object.entries(input as Record<string, unknown>))
    if (typeof sent === 'string' && name in shown && !/rate$/i.test(name))
      expect({ [name]: shown[name] ?? '' }).toEqual({ [name]: sent });
}

/** Ends the credential that it is called with. */
const endsCredentials = /^(revoke|changePassword|logout)/i;

/** A random call is not expected to guess a password or an id that is not in the pool of the others. */
const mayFailAlways = new Set([
  ...['login', 'changePassword', 'revokeApiKey', 'rotateFeed', 'revokeFeed', 'myShifts', 'myEvents', 'upsertEvent'],
  // Nor the secret of an invitation, who has no password yet, or which log-ins there are.
  ...['claimInvitation', 'inviteUser', 'revokeSession'],
  // Nor the secrets of links in mails, which this service does not send.
  ...['mailedOffer', 'answerMailedOffer', 'unsubscribe', 'forgetPassword', 'setForgottenPassword'],
  // Nor several people who are all free; the random calls of REST do.
  'offerShift',
  // Nor who has come already, and on which screen people check in.
  ...['checkOut', 'approveAttendance', 'checkOnMyScreen', 'myScreenCheckInCode'],
]);

test.each(takeShare('random calls of GraphQL', fields, 4))(
  'random calls of $kind $name are all answered by its types',
  async ({ kind, name, field }) => {
    const operation = operationOf(kind, field);
    const runs = field.args.length === 0 ? 5 : Math.ceil(randomCalls.graphql / fields.length);
    /** Returns how many calls succeed. */
    const call = async (round: number): Promise<number> => {
      let successes = 0;
      await fc.assert(
        fc.asyncProperty(variablesOf(field, scene), async (variables) => {
          const { admin, staff, client } = scene.tenant;
          const caller = name === 'myEvents' ? client : isOfStaff(name) ? staff : admin;
          const isOfScreens = /myScreen/i.test(name);
          const as = await credentialFor(service, scene, { isOfScreens, isEnding: endsCredentials.test(name), caller });
          const answer = await inTime(name, service.graphql(operation, { as, variables }));
          judge(field, variables, answer);
          if (failuresOf(answer).length === 0) successes += 1;
        }),
        { numRuns: runs, seed: seed + round, interruptAfterTimeLimit: 280_000, markInterruptAsFailure: true },
      );
      return successes;
    };
    // A field for which no call of a round succeeds gets more of them.
    let successes = await call(0);
    for (let round = 1; round < randomRoundsMax && successes === 0 && !mayFailAlways.has(name); round += 1)
      successes = await call(round);
    if (!mayFailAlways.has(name)) expect(successes).toBeGreaterThan(0);
  },
);
