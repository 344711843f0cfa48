import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { admin } from '../access/permissions.ts';
import { limits } from '../config/limits.ts';
import type { PositionRow } from '../db/positions.ts';
import { PayUnit } from '../generated/prisma/enums.ts';
import { closed, idOf, money, noInput, oneOf, visibleText } from '../validation/schemas.ts';
import { addToCatalog, changeRow, refuseTakenName, removeUnused } from './catalog.ts';
import { versionInput } from './versions.ts';

const shown = { id: true, title: true, defaultPayRate: true, payUnit: true, version: true } as const;

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

const named = Type.Object({ id: idOf('position'), ...versionInput }, closed);

/** The positions of the business by title. */
export const list = operation({
  name: 'positions.list',
  roles: admin,
  scopes: ['read'],
  cacheable: true,
  input: noInput,
  run: async ({ db }) => {
    const rows = await db.position.findMany({
      orderBy: [{ title: 'asc' }, { id: 'asc' }],
      take: limits.catalogRowsMax,
      select: shown,
    });
    return rows.map(withTextualRate);
  },
});

export const create = operation({
  name: 'positions.create',
  roles: admin,
  scopes: ['events:write'],
  writes: true,
  idempotent: true,
  input: Type.Object({ ...required, payUnit }, closed),
  run: (scope, input) =>
    addToCatalog(
      scope,
      (db) => db.position.count(),
      async ({ db, businessId, record }) => {
        const data = { businessId, payUnit: 'hour' as const, ...input };
        const position = await refuseTakenName('title', db.position.create({ data, select: shown }));
        record({ kind: 'position', id: position.id });
        return withTextualRate(position);
      },
    ),
});

/** Changes only the fields that were sent. */
export const update = operation({
  name: 'positions.update',
  roles: admin,
  scopes: ['events:write'],
  writes: true,
  input: Type.Object(
    { ...named.properties, ...Type.Partial(Type.Object({ ...required, payUnit })).properties },
    closed,
  ),
  run: (scope, { id, expectedVersions, ...changes }) =>
    changeRow(scope, 'Position', { id, expectedVersions }, async ({ db, businessId, record }) => {
      const where = { businessId_id: { businessId, id } };
      const isChange = Object.values(changes).some((value) => value !== undefined);
      if (!isChange) return withTextualRate(await db.position.findUniqueOrThrow({ where, select: shown }));
      const position = await refuseTakenName('title', db.position.update({ where, data: changes, select: shown }));
      record({ kind: 'position', id });
      return withTextualRate(position);
    }),
});

/** Deletes a position. It is refused while a call time or a shift of any status has the position. */
export const remove = operation({
  name: 'positions.delete',
  roles: admin,
  scopes: ['events:write'],
  writes: true,
  input: named,
  run: (scope, { id, expectedVersions }) =>
    removeUnused(
      scope,
      'Position',
      { id, expectedVersions },
      async (db) => ({
        callTimes: await db.callTime.count({ where: { positionId: id } }),
        workShifts: await db.workShift.count({ where: { positionId: id } }),
      }),
      async ({ db, businessId, record }) => {
        const position = await db.position.delete({ where: { businessId_id: { businessId, id } }, select: shown });
        record({ kind: 'position', id });
        return withTextualRate(position);
      },
    ),
});
