import { describe, expect, test } from '@jest/globals';
import { useService, useTenant } from './support/app.ts';
import { sqlCount, statementsSince } from './support/sql-watch.ts';

const service = useService({ env: { CALLBOARD_ANSWER_CACHE: '0' } });
const tenant = useTenant(service);

const december = 'from: "2026-12-01T00:00:00Z", to: "2027-01-01T00:00:00Z"';

async function ask(query: string) {
  const { body } = await service.graphql(query, { as: tenant.as.admin });
  expect(body.errors).toBeUndefined();
  return body.data;
}

/** The statements of one query, authentication included. */
async function statementsOf(query: string): Promise<string[]> {
  const before = sqlCount();
  await ask(query);
  return statementsSince(before);
}

describe.each(['coverage', 'labourCost'])('the arguments of %s', (field) => {
  const from = '2026-01-01T00:00:00Z';

  test.each([
    ['a span that ends where it starts', `from: "${from}", to: "${from}", groupBy: DAY`, 'to'],
    ['a span that ends before it starts', `from: "${from}", to: "2025-12-31T00:00:00Z", groupBy: DAY`, 'to'],
    ['more than 400 days', `from: "${from}", to: "2027-02-05T00:00:01Z", groupBy: DAY`, 'to'],
    ['years that no clock here shows', `from: "0001-01-01T00:00:00Z", to: "${from}", groupBy: DAY`, 'from'],
    ['a blank city', `from: "${from}", to: "2026-02-01T00:00:00Z", groupBy: DAY, filter: { city: " " }`, 'filter.city'],
    [
      'a client 0',
      `from: "${from}", to: "2026-02-01T00:00:00Z", groupBy: DAY, filter: { clientId: 0 }`,
      'filter.clientId',
    ],
  ])('cannot be %s', async (_, args, at) => {
    const { body } = await service.graphql(`{ ${field}(${args}) { groups { key } } }`, { as: tenant.as.admin });
    expect(body.errors[0].extensions).toEqual({
      code: 'VALIDATION_FAILED',
      errors: { [at]: [expect.any(String)] },
    });
  });

  test('can be a span of 400 days', async () => {
    const args = `from: "${from}", to: "2027-02-05T00:00:00Z", groupBy: DAY`;
    expect((await ask(`{ ${field}(${args}) { groups { key } } }`))[field].groups).toEqual([]);
  });

  test('can give at most 1,000 groups', async () => {
    const { id: positionId } = await service.createPosition(tenant.business);
    const template = await service.createEvent(tenant.business);
    const { id: _, uuid: __, ...columns } = template;
    const { startLocal, startsAt, endLocal, endsAt } = await service.createCallTime(template, { positionId });
    const add = async (length: number) => {
      const events = await service.prisma.event.createManyAndReturn({ data: Array.from({ length }, () => columns) });
      await service.prisma.callTime.createMany({
        data: events.map(({ businessId, id: eventId }) => ({
          businessId,
          eventId,
          positionId,
          staffNeeded: 1,
          startLocal,
          startsAt,
          endLocal,
          endsAt,
        })),
      });
    };
    const query = `{ ${field}(${december}, groupBy: EVENT) { groups { key } } }`;
    await add(999);
    expect((await ask(query))[field].groups).toHaveLength(1000);
    await add(1);
    const { body } = await service.graphql(query, { as: tenant.as.admin });
    expect(body.errors[0].extensions.errors.groupBy).toEqual([expect.stringContaining('1000 groups')]);
  });
});

describe('in SQL statements', () => {
  const addEvent = async () => {
    const event = await service.createEvent(tenant.business);
    const { id: callTimeId } = await service.createCallTime(event);
    await service.createShift(event, tenant.staff, { callTimeId });
    await service.createCallTime(event);
  };
  const perLevel = `coverage { needed } labourCost { planned } callTimes { coverage { needed } labourCost { planned } }`;

  test('coverage and labour cost need one each for all events and one each for all their call times', async () => {
    const statementsFor = async (events: number) => {
      for (let index = 0; index < events; index++) await addEvent();
      return statementsOf(`{ events(perPage: 100) { nodes { ${perLevel} } } }`);
    };
    const [few, many] = [await statementsFor(2), await statementsFor(20)];
    // The credential, the page, its call times, and these four.
    expect(few).toHaveLength(7);
    // Those of one level begin side by side.
    expect(many.toSorted()).toEqual(few.toSorted());
  });

  test.each(['coverage', 'labourCost'])('a report of %s needs one', async (field) => {
    await addEvent();
    const query = `{ ${field}(${december}, groupBy: CLIENT, filter: { city: "Rome" }) { groups { key } } }`;
    // Beside the credential.
    expect(await statementsOf(query)).toHaveLength(2);
  });
});
