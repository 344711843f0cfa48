import { describe, expect, test } from '@jest/globals';
import { useOneTenant, useService } from './support/app.ts';

const service = useService({ env: { CALLBOARD_ANONYMOUS_PER_MINUTE: '100000' } });
const tenant = useOneTenant(service);

describe('a refusal does not repeat what was sent', () => {
  const secret = 'hunter2-and-more';
  const login =
    'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { tokenType } }';
  const create = 'mutation ($input: CreateEventInput!) { createEvent(input: $input) { uuid } }';
  const reports =
    'query ($from: DateTimeISO!) { coverage(from: $from, to: "2027-01-01T00:00:00Z", groupBy: DAY) { total { open } } }';

  test.each<[string, string, object | undefined, string]>([
    [
      'a password in an array',
      login,
      { email: 'a@example.com', password: [secret] },
      'Variable "$password" got an invalid value at "password": String cannot represent a non string value.',
    ],
    [
      'a password in an object',
      login,
      { email: 'a@example.com', password: { a: ` at "x"; ${secret}` } },
      'Variable "$password" got an invalid value at "password": String cannot represent a non string value.',
    ],
    [
      'text for a flag',
      create,
      { input: { title: 'T', startTime: '', endTime: '', timezone: '', startTimeTbd: secret } },
      'Variable "$input" got an invalid value at "input.startTimeTbd": Boolean cannot represent a non boolean value.',
    ],
    [
      'text for an enum',
      create,
      { input: { title: 'T', startTime: '', endTime: '', timezone: '', status: secret } },
      'Variable "$input" got an invalid value at "input.status": Expected a value of enum "EventStatus": ACTIVE, DRAFT, CANCELED, DELETED.',
    ],
    [
      'a number for an enum',
      create,
      { input: { title: 'T', startTime: '', endTime: '', timezone: '', status: 5 } },
      'Variable "$input" got an invalid value at "input.status": Expected a value of enum "EventStatus": ACTIVE, DRAFT, CANCELED, DELETED.',
    ],
    [
      'text for an object',
      create,
      { input: secret },
      'Variable "$input" got an invalid value at "input": Expected type "CreateEventInput" to be an object.',
    ],
    [
      'an object that lacks a field',
      create,
      { input: { title: secret, startTime: '', endTime: '' } },
      'Variable "$input" got an invalid value at "input": Field "timezone" of required type "String!" was not provided.',
    ],
    [
      'text for an instant',
      reports,
      { from: secret },
      'Variable "$from" got an invalid value at "from": It must be an instant in ISO 8601, with its offset from UTC, such as "2026-12-31T18:30:00Z".',
    ],
    [
      'a number of 32 bits',
      'query ($n: Int) { events(perPage: $n) { totalCount } }',
      { n: 2147483648 },
      'Variable "$n" got an invalid value at "n": Int cannot represent non 32-bit signed integer value.',
    ],
    [
      'a broken number',
      'query ($n: Int) { events(perPage: $n) { totalCount } }',
      { n: 1.5 },
      'Variable "$n" got an invalid value at "n": Int cannot represent non-integer value.',
    ],
  ])('%s in variables', async (_what, query, variables, message) => {
    const { status, body } = await service.graphql(query, { as: tenant.as.admin, ...(variables && { variables }) });
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ message, locations: expect.any(Array), extensions: { code: 'BAD_USER_INPUT' } }]);
  });

  test.each([
    ['text for a number', `{ events(perPage: "${secret}") { totalCount } }`, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'a number for text',
      `mutation { login(email: "a@example.com", password: 20260131) { tokenType } }`,
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['text for an enum', `{ events(filter: { statuses: ["${secret}"] }) { totalCount } }`, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'an unknown name for an enum',
      `{ events(filter: { statuses: [hunter2] }) { totalCount } }`,
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['text for an object', `{ events(filter: "${secret}") { totalCount } }`, 'GRAPHQL_VALIDATION_FAILED'],
    ['text out of place', `{ events("${secret}") { totalCount } }`, 'GRAPHQL_PARSE_FAILED'],
    ['a block of text out of place', `{ events """${secret} "and" more""" { totalCount } }`, 'GRAPHQL_PARSE_FAILED'],
    ['a number out of place', `{ events 20260131 }`, 'GRAPHQL_PARSE_FAILED'],
    [
      'an instant that is none',
      `{ conflicts(from: "${secret}", to: "2027-01-01T00:00:00Z") { totalCount } }`,
      'GRAPHQL_VALIDATION_FAILED',
    ],
  ])('%s in the document', async (_what, query, code) => {
    const { status, body } = await service.graphql(query, { as: tenant.as.admin });
    expect({ status, code: body.errors[0].extensions.code }).toEqual({ status: 400, code });
    expect(JSON.stringify(body)).not.toMatch(/hunter2|20260131/);
    expect(body.errors[0].message.length).toBeGreaterThan(10);
  });

  test('an operation name', async () => {
    const reply = await service.app.http.inject({
      method: 'POST',
      url: '/graphql',
      payload: { query: 'query a { __typename }', operationName: secret },
    });
    expect(reply.json().errors[0].extensions).toEqual({ code: 'OPERATION_RESOLUTION_FAILURE' });
    expect(reply.body).not.toContain(secret);
  });

  test('a required argument that is null at run time', async () => {
    const query = 'query ($skip: Boolean = true) { viewer { name @skip(if: $skip) } }';
    const { body } = await service.graphql(query, { as: tenant.as.admin, variables: { skip: null } });
    expect(body.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  });
});

describe('a bad date in the query', () => {
  const instant = 'It must be an instant in ISO 8601, with its offset from UTC, such as "2026-12-31T18:30:00Z".';
  const day = 'It must be a day as YYYY-MM-DD, such as "2026-12-31".';

  test.each([
    ['an argument', '{ conflicts(from: "hunter2", to: "2027-01-01T00:00:00Z") { totalCount } }', 'from', instant],
    ['a number', '{ conflicts(from: "2026-12-01T00:00:00Z", to: 2027) { totalCount } }', 'to', instant],
    ['a day for an instant', '{ events(filter: { startsFrom: "2026-12-01" }) { totalCount } }', 'startsFrom', instant],
    ['a field of an input', '{ events(filter: { dateFrom: "hunter2" }) { totalCount } }', 'dateFrom', day],
    [
      'a day that there is not',
      '{ events(filter: { text: "x", dateTo: "2026-02-30" }) { totalCount } }',
      'dateTo',
      day,
    ],
    ['a number for a day', '{ events(filter: { dateTo: 20260131 }) { totalCount } }', 'dateTo', day],
  ])('names its argument, the form and an example: %s', async (_what, query, name, form) => {
    const { body } = await service.graphql(query, { as: tenant.as.admin });
    expect(body.errors).toMatchObject([
      {
        message: `Argument "${name}" has an invalid value: ${form}`,
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      },
    ]);
  });
});
