import { describe, expect, test } from '@jest/globals';
import { registeredOperations } from '../src/access/operation-record.ts';
import { attemptLimits } from '../src/config/limits.ts';
import { createSchema } from '../src/nouns.ts';
import { useOneTenant, useService, type TestAnswer } from './support/app.ts';
import { password } from './support/factories.ts';

/* Over GraphQL fields graphql-rate-limit decides. Counts are atomic, and shared with REST. */

const service = useService({ env: { CALLBOARD_ANONYMOUS_PER_MINUTE: '100000', CALLBOARD_ANSWER_CACHE: '0' } });
const tenant = useOneTenant(service, 'enterprise');

const codeOf = ({ body }: TestAnswer): string => body.errors?.[0]?.extensions?.code ?? body.code ?? 'OK';
const countsOf = (answers: readonly TestAnswer[]) => {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[codeOf(answer)] = (counts[codeOf(answer)] ?? 0) + 1;
  return counts;
};

test('every operation with a limit on tries has a field that is limited, but for CSV exports, calendars and the cookie of the pages', () => {
  const schema = createSchema();
  const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) => Object.values(type!.getFields()));
  const marked = fields.flatMap(({ extensions: { limits } }) => (typeof limits === 'string' ? [limits] : []));
  const limited = registeredOperations().filter(({ attempts }) => attempts.length > 0);
  const withoutField = ['exports.open', 'feeds.use', 'sessions.use', 'sessions.revokeKept'];
  expect([...marked, ...withoutField].sort()).toEqual(limited.map(({ name }) => name).sort());
});

describe('50 calls at once', () => {
  test('pass a limit of 5 five times', async () => {
    const [{ max }] = attemptLimits.changePassword;
    const call = () =>
      service.graphql('mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { revoked } }', {
        as: tenant.as.staff,
        variables: { input: { current: 'a wrong password', next: 'another one for tests' } },
      });
    const answers = await Promise.all(Array.from({ length: 50 }, call));
    expect(countsOf(answers)).toEqual({ VALIDATION_FAILED: max, RATE_LIMITED: 50 - max });
    const refused = answers.find((answer) => codeOf(answer) === 'RATE_LIMITED')!.body.errors[0];
    expect(refused).toMatchObject({ path: ['changePassword'], extensions: { retryAfter: expect.any(Number) } });
  });

  test('half over REST and half over GraphQL pass it five times together', async () => {
    const [{ max }] = attemptLimits.logIn;
    const { email } = tenant.client;
    const inRest = () => service.call('POST', '/v1/auth/login', { body: { email, password: 'wrong' } });
    const inGraphql = () =>
      service.graphql('mutation ($email: String!) { login(email: $email, password: "wrong") { tokenType } }', {
        variables: { email: email.toUpperCase() },
      });
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => (index % 2 ? inRest : inGraphql)()));
    expect(countsOf(answers)).toEqual({ INVALID_CREDENTIALS: max, RATE_LIMITED: 50 - max });
  });
});

test('a call that does not reach its operation is not counted', async () => {
  const [{ max }] = attemptLimits.resetPassword;
  const reset = (as: string, to: string) =>
    service.graphql('mutation ($id: ID!, $to: String!) { resetPassword(userId: $id, password: $to) { revoked } }', {
      as,
      variables: { id: tenant.staff.id, to },
    });
  for (let call = 0; call <= max; call++) {
    expect(codeOf(await reset(tenant.as.client, password))).toBe('FORBIDDEN');
    expect(codeOf(await reset(tenant.as.admin, 'short'))).toBe('VALIDATION_FAILED');
  }
});

test('a report is refused from its limit on, and other reports are counted by themselves', async () => {
  const [{ max, windowS }] = attemptLimits.report;
  const fresh = await service.createTenant('enterprise');
  const period = 'from: "2027-01-01T00:00:00Z", to: "2027-02-01T00:00:00Z"';
  const ask = (field: string, aliases: number) =>
    service.graphql(`{ ${Array.from({ length: aliases }, (_, index) => `f${index}: ${field}`).join(' ')} }`, {
      as: fresh.as.admin,
    });
  const conflicts = `conflicts(${period}) { totalCount }`;
  for (let asked = 0; asked < max; asked += 50) expect(codeOf(await ask(conflicts, 50))).toBe('OK');
  const { errors } = (await ask(conflicts, 1)).body;
  expect(errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }]);
  expect(errors[0].extensions.retryAfter).toBeLessThanOrEqual(windowS);
  expect(codeOf(await ask(`coverage(${period}, groupBy: POSITION) { total { needed } }`, 1))).toBe('OK');
});
