import { beforeAll, describe, expect, test } from '@jest/globals';
import { useOneTenant, useService } from './support/app.ts';
import { children, ownFields } from './support/event-dialects.ts';
import { sqlCount, statementsSince } from './support/sql-watch.ts';

let uuid: string;

const service = useService({ env: { CALLBOARD_ANSWER_CACHE: '0' } });
const tenant = useOneTenant(service);

beforeAll(async () => {
  const position = await service.createPosition(tenant.business);
  const fields = [await service.createCustomField(tenant.business), await service.createCustomField(tenant.business)];
  for (let index = 0; index < 100; index++) {
    const event = await service.createEvent(tenant.business);
    uuid = event.uuid;
    // Two of each kind for some events, one or none for others.
    for (let child = 0; child < index % 3; child++) {
      const callTime = await service.createCallTime(event, { positionId: position.id });
      const shift = await service.createShift(event, tenant.staff, { positionId: position.id });
      const given = { state: 'accepted', workShiftId: shift.id } as const;
      await service.createRecipient(await service.createOffer(callTime), tenant.staff, given);
      await service.createSwap(shift);
      await service.setCustomValue(event, fields[child]!, `Value ${index}`);
    }
  }
});

/** The statements of one call, authentication included. */
async function statementsOf(call: () => Promise<unknown>): Promise<string[]> {
  await call();
  const before = sqlCount();
  await call();
  return statementsSince(before);
}

const rest = (url: string, as: string) => async () => {
  const { status, body } = await service.call('GET', url, { as });
  expect(status).toBe(200);
  return body.data;
};

const graphql = (query: string, as: string) => async () => {
  const { body } = await service.graphql(query, { as });
  expect(body.errors).toBeUndefined();
  return body.data;
};

const everything = (perPage: number) =>
  `{ events(perPage: ${perPage}) { totalCount pageInfo { lastPage } nodes { ${ownFields} ${children} } } }`;

describe.each(['admin', 'key'] as const)('read with the credential of %s', (who) => {
  test.each([
    // The credential, the page, its total, and one for each kind of child.
    ['the REST list', 6, (perPage: number, as: string) => rest(`/v1/events?per_page=${perPage}`, as)],
    ['the nested GraphQL list', 6, (perPage: number, as: string) => graphql(everything(perPage), as)],
    ['the earlier list', 3, (perPage: number, as: string) => rest(`/v1/objects/events?per_page=${perPage}`, as)],
    [
      'a GraphQL list without children',
      3,
      (perPage: number, as: string) => graphql(`{ events(perPage: ${perPage}) { totalCount nodes { title } } }`, as),
    ],
  ])('%s costs at most %i SQL statements, as many for 100 events as for one', async (_, most, read) => {
    const forOne = await statementsOf(read(1, tenant.as[who]));
    const forTwo = await statementsOf(read(2, tenant.as[who]));
    const forAll = await statementsOf(read(100, tenant.as[who]));
    // One id is compared with, several are an array.
    expect(forAll).toEqual(forTwo);
    expect(forAll.length).toBe(forOne.length);
    expect(forOne.length).toBeGreaterThan(0);
    expect(forOne.length).toBeLessThanOrEqual(most);
  });

  test.each([
    ['an event in REST', 5, (as: string) => rest(`/v1/events/${uuid}`, as)],
    ['an event in its earlier shape', 3, (as: string) => rest(`/v1/objects/events/${uuid}`, as)],
    ['a page of shifts', 4, (as: string) => rest(`/v1/work_shifts/event/${uuid}`, as)],
    ['an event in GraphQL', 5, (as: string) => graphql(`{ event(id: "${uuid}") { ${ownFields} ${children} } }`, as)],
  ])('%s costs at most %i', async (_, most, read) => {
    expect((await statementsOf(read(tenant.as[who]))).length).toBeLessThanOrEqual(most);
  });
});

test('who is asked, who came and who swaps is one statement for each list, however many events there are', async () => {
  const query = (perPage: number) => `{ events(perPage: ${perPage}) { nodes {
    offerRecipients { state workShift { uuid } event { title } fullPosition { title } }
    shiftSwaps { state event { title } fullPosition { title } } attendance { workShift { uuid } event { title } fullPosition { title } }
    callTimes { offerRecipients { state } } } } }`;
  const of = (perPage: number) => statementsOf(graphql(query(perPage), tenant.as.admin));
  const [few, many] = [await of(2), await of(100)];
  expect(many.length).toBe(few.length);
  // The credential, the page, its five lists, and what hangs on their rows.
  expect(many.length).toBeLessThanOrEqual(9);
});

test('the list of 100 events contains all of them with their children', async () => {
  const { events } = (await graphql(everything(100), tenant.as.admin)()) as {
    events: { nodes: { callTimes: []; workShifts: []; customFields: [] }[] };
  };
  const counts = events.nodes.map((node) => [node.callTimes.length, node.workShifts.length, node.customFields.length]);
  expect(counts).toEqual(Array.from({ length: 100 }, (_, index) => Array(3).fill(index % 3)));
  const { data } = (await rest('/v1/events?per_page=100', tenant.as.admin)()) as { data: { call_times: [] }[] };
  expect(data.map((item) => item.call_times.length)).toEqual(counts.map(([callTimes]) => callTimes));
});

test('several lists in one GraphQL request cost at most one statement per list and kind of child', async () => {
  const page = (number: number) => `p${number}: events(page: ${number}, perPage: 10) { nodes { title ${children} } }`;
  const statements = await statementsOf(graphql(`{ ${page(1)} ${page(2)} ${page(3)} }`, tenant.as.admin));
  // A shift's pay may be that of its call time, so its statement names both.
  const firstOf = (sql: string) => /FROM (call_times|work_shifts|custom_field_values)/.exec(sql)?.[1];
  for (const table of ['call_times', 'work_shifts', 'custom_field_values'])
    expect(statements.filter((sql) => firstOf(sql) === table).length).toBe(3);
});
