import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { useService } from './support/app.ts';
import { flattenRow } from './support/flat-rows.ts';
import { isNightly } from './support/share.mjs';
import { seed } from './support/random-scene.ts';
import { staffing, type MutationOutcome } from './support/staffing.ts';

/*
 * Many assignments are compared with single ones in a loop. Both run in businesses of their own with equal rows, and must
 * lead to equal outcomes and equal rows.
 */

const { assign, assignMany } = staffing(() => service);

const service = useService();

type World = Awaited<ReturnType<typeof createWorld>>;

/** A business with rows that assignments can name. `names` has the name of each id and uuid, the same in every such business. */
async function createWorld() {
  const tenant = await service.createTenant();
  const { business } = tenant;
  const elsewhere = await service.createTenant();
  const positions = [await service.createPosition(business, { title: 'Rigger' })];
  positions.push(await service.createPosition(elsewhere.business));
  const newStaff = (name: string) => service.createUser(business, 'staff', { name });
  const staff = [await newStaff('Robin Fields'), await newStaff('Sam Field'), await newStaff('Alex Meadow')];
  const gone = await newStaff('Kim Gone');
  await service.prisma.user.updateMany({ where: { id: gone.id }, data: { deletedAt: new Date(), emailKey: null } });
  const people = [...staff, tenant.client, elsewhere.staff, gone];
  const events = [
    await service.createEvent(business, { title: 'First' }),
    await service.createEvent(business, { title: 'Draft', status: 'draft', start: '2026-12-05 12:00:00' }),
    await service.createEvent(business, { title: 'Over there', timezone: 'Europe/Berlin' }),
    await service.createEvent(business, { title: 'Canceled', status: 'canceled' }),
    await service.createEvent(elsewhere.business),
  ];
  const [first, draft, there, canceled, foreign] = events as [(typeof events)[0], ...typeof events];
  const on = { positionId: positions[0]!.id };
  const callTimes = [
    await service.createCallTime(first, { ...on, staffNeeded: 1 }),
    await service.createCallTime(first, { ...on, staffNeeded: 3, startTbd: true }),
    await service.createCallTime(draft!, { ...on, endTbd: true, start: '2026-12-05 12:00:00' }),
    await service.createCallTime(there!, { ...on, startTbd: true, endTbd: true }),
    await service.createCallTime(canceled!, on),
    await service.createCallTime(foreign!, on.positionId ? { positionId: positions[1]!.id } : {}),
  ];
  const ids = (kind: string, rows: readonly { id: number }[]) => rows.map(({ id }, index) => [id, `${kind} ${index}`]);
  const uuids = (kind: string, rows: readonly { uuid: string }[]) =>
    rows.map(({ uuid }, index) => [uuid, `${kind} ${index}`]);
  const names = {
    userId: Object.fromEntries(ids('person', people)),
    positionId: Object.fromEntries(ids('position', positions)),
    eventId: Object.fromEntries(ids('event', events)),
    callTimeId: Object.fromEntries(ids('call time', callTimes)),
    uuid: Object.fromEntries([...uuids('event', events), ...uuids('call time', callTimes)]),
  };
  return { tenant, positions, people, events, callTimes, names };
}

/** Takes the business back to the shifts that it had at first: two, of which one has open times. */
async function resetShifts({ tenant, people, events, callTimes, positions }: World): Promise<void> {
  const { id: businessId } = tenant.business;
  await service.prisma.workShift.deleteMany({ where: { businessId } });
  await service.prisma.rowChange.deleteMany({ where: { businessId } });
  const positionId = positions[0]!.id;
  await service.createShift(events[0]!, people[0]!, {
    positionId,
    callTimeId: callTimes[1]!.id,
    end: '2026-12-05 18:00:00',
  });
  await service.createShift(events[1]!, people[1]!, { positionId, start: null, end: null });
}

const malformed = 'nothing like a uuid';
const index = (length: number) => fc.nat(length - 1);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });

const target = fc.oneof(
  { weight: 8, arbitrary: fc.record({ callTime: index(6) }) },
  { weight: 4, arbitrary: fc.record({ event: index(5) }) },
  { weight: 1, arbitrary: fc.record({ event: index(5), callTime: index(6) }) },
  { weight: 1, arbitrary: fc.constantFrom({}, { event: -1 }, { callTime: -1 }, { callTime: -2 }) },
);

const wall = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('12:00', '14:00', '16:00', '18:30', '23:59').map((at) => `2026-12-05 ${at}:00`),
  },
  { weight: 1, arbitrary: fc.constantFrom(null, '2026-03-08 02:30:00', 'soon') },
);

const spec = fc.record({
  target,
  isUpperCase: fc.boolean(),
  person: fc.oneof({ weight: 8, arbitrary: index(3) }, { weight: 1, arbitrary: fc.constantFrom(3, 4, 5, -1, -2) }),
  position: maybe(fc.constantFrom(0, 0, 0, 1, null)),
  startTime: maybe(wall),
  endTime: maybe(wall),
  payRate: fc.constantFrom(undefined, undefined, '12.5', null, '-1'),
  override: fc.constantFrom(undefined, undefined, null, { reason: 'Training' }, { reason: ' ' }),
});

const usual = { target: { callTime: 0 }, isUpperCase: false, person: 2, position: undefined, payRate: undefined };

/** Somebody is assigned to the same time again and again: the last refusal lists all shifts before it, in their order. */
const insistent: Spec[] = Array.from({ length: 9 }, (_, place) => ({
  ...usual,
  startTime: undefined,
  endTime: undefined,
  override: place < 8 ? { reason: 'Training' } : undefined,
}));

type Spec = typeof spec extends fc.Arbitrary<infer S> ? S : never;

/** The input of an assignment in one of the businesses. */
function inputIn({ events, callTimes, people, positions }: World, spec: Spec): object {
  const { event, callTime } = spec.target as { event?: number; callTime?: number };
  const uuidOf = (rows: readonly { uuid: string }[], place: number) =>
    place === -1 ? '00000000-0000-4000-8000-000000000000' : (rows[place]?.uuid ?? malformed);
  const spelled = (uuid: string) => (spec.isUpperCase ? uuid.toUpperCase() : uuid);
  const { position, payRate, override, startTime, endTime } = spec;
  return {
    ...(event !== undefined && { eventId: spelled(uuidOf(events, event)) }),
    ...(callTime !== undefined && { callTimeId: spelled(uuidOf(callTimes, callTime)) }),
    userId: people[spec.person]?.id ?? (spec.person === -1 ? 0 : 2_147_483_647),
    ...(position !== undefined && { positionId: position === null ? null : positions[position]!.id }),
    ...(startTime !== undefined && { startTime }),
    ...(endTime !== undefined && { endTime }),
    ...(payRate !== undefined && { payRate }),
    ...(override !== undefined && { override }),
  };
}

const column = (name: string) => name.replace(/_[a-z]/g, ([, letter = '']) => letter.toUpperCase());

/** Names ids and uuids, those of shifts by the order in which they appear, and leaves out when a row was written. */
function nameRows({ names }: World, rows: unknown): unknown {
  const shifts = new Map<string, string>();
  const walk = (field: string, value: unknown): unknown => {
    if (typeof value === 'number') return names[column(field) as 'userId']?.[value] ?? value;
    if (typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value)) {
      if (!names.uuid[value] && !shifts.has(value)) shifts.set(value, `shift ${shifts.size}`);
      return names.uuid[value] ?? shifts.get(value);
    }
    if (Array.isArray(value)) return value.map((item) => walk(field, item));
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !['id', 'businessId', 'createdAt', 'created_at', 'modifiedAt'].includes(name))
        .map(([name, inner]) => [name, walk(name, inner)]),
    );
  };
  return walk('', rows);
}

/** What became of each assignment, of the shifts, and what the change log has of them. */
async function resultIn(world: World, outcomes: readonly object[]): Promise<unknown> {
  const where = { businessId: world.tenant.business.id };
  const shifts = await service.prisma.workShift.findMany({ where, orderBy: { id: 'asc' } });
  const changes = await service.prisma.rowChange.findMany({
    where,
    orderBy: { id: 'asc' },
    select: { kind: true, change: true, before: true, after: true },
  });
  return nameRows(world, {
    outcomes,
    shifts: shifts.map((shift) => ({ ...shift, payRate: String(shift.payRate) })),
    changes,
  });
}

/** An error leaves out the fields that a clash of its kind does not have; as data, they are null. */
const withoutNulls = (clash: object) =>
  Object.fromEntries(Object.entries(flattenRow(clash) as object).filter(([, value]) => value !== null));

const asOne = ({ code, message, errors, clashes, row }: MutationOutcome) => ({
  code,
  message,
  errors: Object.entries(errors),
  clashes: clashes.map(withoutNulls),
  shift: row,
});

interface OneOfMany {
  shift: object | null;
  clashes: object[];
  error: { code: string; message: string; errors: { field: string; messages: string[] }[] } | null;
}

const asMany = ({ shift, clashes, error }: OneOfMany) => ({
  code: error?.code ?? 'OK',
  message: error?.message ?? '',
  errors: error?.errors.map(({ field, messages }) => [field, messages]) ?? [],
  clashes: clashes.map(withoutNulls),
  shift,
});

test('many assignments have the outcomes and leave the rows of single ones in a loop', async () => {
  const [looped, together] = [await createWorld(), await createWorld()];
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(spec, { minLength: 1, maxLength: 12 }), fc.boolean(), async (specs, isAtomic) => {
      await resetShifts(looped);
      await resetShifts(together);
      const ones = [];
      for (const each of specs) ones.push(asOne(await assign(looped.tenant.as.admin, inputIn(looped, each))));
      const inputs = specs.map((each) => inputIn(together, each));
      const { row } = await assignMany(together.tenant.as.admin, inputs, isAtomic ? randomUUID() : undefined);
      const many = (row as OneOfMany[]).map(asMany);
      expect(await resultIn(together, many)).toEqual(await resultIn(looped, ones));
      for (const { code } of many) seen.set(code, (seen.get(code) ?? 0) + 1);
    }),
    { seed, numRuns: isNightly ? 60 : 20, examples: [[insistent, false]] },
  );
  // The random inputs reach every kind of outcome.
  for (const code of ['OK', 'CLASH', 'VALIDATION_FAILED', 'NOT_FOUND', 'CONFLICT'])
    expect([code, (seen.get(code) ?? 0) > 2]).toEqual([code, true]);
});
