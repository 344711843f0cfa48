import { expect, test } from '@jest/globals';
import { useService } from './support/app.ts';
import { children, ownFields } from './support/event-dialects.ts';
import { sqlCount, statementsSince } from './support/sql-watch.ts';

/* One event comes with its lists. */

const service = useService({ env: { CALLBOARD_ANSWER_CACHE: '0' } });

test('an event and its lists are read in one statement, which finds what the caller may see', async () => {
  const { business, as, staff, client } = await service.createTenant();
  const event = await service.createEvent(business, { clientId: client.id });
  const callTime = await service.createCallTime(event);
  const shift = await service.createShift(event, staff);
  const field = await service.createCustomField(business);
  await service.setCustomValue(event, field, 'blue');
  const query = `query One($id: ID!) { event(id: $id) { ${ownFields} ${children} } }`;
  const ask = async (caller: string, id = event.uuid) => {
    const before = sqlCount();
    const { body } = await service.graphql(query, { as: caller, variables: { id } });
    return {
      body: body as unknown,
      reads: statementsSince(before).filter((sql) => sql.includes('work_shifts')).length,
    };
  };
  const lists = { uuid: event.uuid, callTimes: [{ uuid: callTime.uuid }], workShifts: [{ uuid: shift.uuid }] };
  const seen = { data: { event: { ...lists, customFields: null } } };
  expect(await ask(as.admin)).toMatchObject({
    body: { data: { event: { ...lists, customFields: [{ fieldValue: 'blue' }] } } },
    reads: 1,
  });
  expect(await ask(as.staff)).toMatchObject({ body: seen, reads: 1 });
  expect(await ask(as.client)).toMatchObject({ body: seen, reads: 1 });

  const hidden = { data: { event: null }, errors: [{ extensions: { code: 'NOT_FOUND' } }] };
  const apart = await service.createEvent(business);
  expect((await ask(as.staff, apart.uuid)).body).toMatchObject(hidden);
  expect((await ask(as.client, apart.uuid)).body).toMatchObject(hidden);
  const other = await service.createTenant();
  expect((await ask(other.as.admin)).body).toMatchObject(hidden);
});

test('lists that are not asked for certain are read once the event is known', async () => {
  const { business, as } = await service.createTenant();
  const event = await service.createEvent(business);
  const callTime = await service.createCallTime(event);
  const ask = async (query: string, variables: object = {}) =>
    (await service.graphql(query, { as: as.admin, variables })).body as unknown;
  const listed = { event: { callTimes: [{ uuid: callTime.uuid }] } };
  const one = `event(id: "${event.uuid}")`;
  const skipping = `query One($no: Boolean!) { ${one} { id callTimes @skip(if: $no) { uuid } } }`;
  expect(await ask(skipping, { no: true })).toEqual({ data: { event: { id: expect.any(String) } } });
  expect(await ask(skipping, { no: false })).toMatchObject({ data: listed });
  expect(await ask(`{ ${one} { ...Lists } } fragment Lists on Event { callTimes { uuid } }`)).toEqual({ data: listed });
  expect(await ask(`{ ${one} { callTimes { uuid } } other: ${one} { callTimes { uuid } } }`)).toMatchObject({
    data: { ...listed, other: listed.event },
  });
  expect(await ask(`{ ${one} { callTimes { uuid } more: callTimes { staffNeeded } } }`)).toMatchObject({
    data: { event: { callTimes: [{ uuid: callTime.uuid }], more: [{ staffNeeded: callTime.staffNeeded }] } },
  });
});
