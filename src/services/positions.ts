import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { limits } from '../config.ts';
import type { PositionRow } from '../db/catalog.ts';
import { notFound } from '../errors.ts';
import { PayUnit } from '../generated/prisma/enums.ts';
import { closed, idOf, money, oneOf, visibleText } from '../validation.ts';
import { addTo, orTaken, removeUnused } from './catalog.ts';

const shown = { id: true, title: true, defaultPayRate: true, payUnit: true } as const;

type Stored = Omit<PositionRow, 'defaultPayRate'> & { defaultPayRate: { toFixed(decimals: number): string } };

const withTextualRate = ({ defaultPayRate, ...row }: Stored): PositionRow => ({
  ...row,
  defaultPayRate: defaultPayRate.toFixed(2),
});

const required = {
  title: visibleText(limits.titleChars, { description: 'Title.' }),
  defaultPayRate: money('USD per pay unit.'),
};
const payUnit = Type.Optional(oneOf(Object.values(PayUnit), 'What the rate is paid for; hour if not sent.'));

const name = Type.Object({ id: idOf('position') }, closed);

/** The positions of the business by title. */
export const list = operation('positions.list', Type.Object({}, closed), async ({ db }) => {
  const rows = await db.position.findMany({
    orderBy: [{ title: 'asc' }, { id: 'asc' }],
    take: limits.catalogRowsMax,
    select: shown,
  });
  return rows.map(withTextualRate);
});

export const create = operation('positions.create', Type.Object({ ...required, payUnit }, closed), (scope, input) =>
  addTo(
    scope,
    (db) => db.position.count(),
    async ({ db, businessId }) =>
      withTextualRate(
        await orTaken('title', db.position.create({ data: { businessId, payUnit: 'hour', ...input }, select: shown })),
      ),
  ),
);

/** Changes only the fields sent. */
export const update = operation(
  'positions.update',
  Type.Object({ ...name.properties, ...Type.Partial(Type.Object({ ...required, payUnit })).properties }, closed),
  async ({ db }, { id, ...changes }) => {
    const isChange = Object.values(changes).some((value) => value !== undefined);
    const [row] = isChange
      ? await orTaken('title', db.position.updateManyAndReturn({ where: { id }, data: changes, select: shown }))
      : await db.position.findMany({ where: { id }, select: shown });
    if (!row) throw notFound('position');
    return withTextualRate(row);
  },
);

/** Only while no call time and no shift of any status is for it. */
export const remove = operation('positions.delete', name, (scope, { id }) =>
  removeUnused(
    scope,
    'position',
    id,
    async (db) => ({
      callTimes: await db.callTime.count({ where: { positionId: id } }),
      workShifts: await db.workShift.count({ where: { positionId: id } }),
    }),
    async ({ db, businessId }) =>
      withTextualRate(await db.position.delete({ where: { businessId_id: { businessId, id } }, select: shown })),
  ),
);
