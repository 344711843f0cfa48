import Type from 'typebox';
import { operation, variantOf } from '../access/operation.ts';
import { admin, everyRole } from '../access/permissions.ts';
import { limits } from '../config/limits.ts';
import { readPositionsByIds, type PositionRow } from '../db/positions.ts';
import { notFound } from '../errors.ts';
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

export const positionParams = Type.Object({ id: idOf('position') }, closed);

export const newPosition = Type.Object({ ...required, payUnit }, closed);

export const positionChanges = Type.Partial(Type.Object({ ...required, payUnit }), closed);

const positionIdsInput = Type.Object({ positionIds: Type.Array(idOf('position')) });

const named = Type.Object({ ...positionParams.properties, ...versionInput }, closed);

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

/** The positions of rows that the caller sees, by the ids in those rows, in any order, in one statement. */
export const getByIds = operation({
  name: 'positions.ofIds',
  roles: everyRole,
  scopes: ['read'],
  cacheable: true,
  input: positionIdsInput,
  run: (scope, { positionIds }) => readPositionsByIds(scope.db, positionIds),
});

export const get = operation({
  name: 'positions.get',
  roles: admin,
  scopes: ['read'],
  cacheable: true,
  input: positionParams,
  run: async ({ db, businessId }, { id }) => {
    const row = await db.position.findUnique({ where: { businessId_id: { businessId, id } }, select: shown });
    if (!row) throw notFound('position');
    return withTextualRate(row);
  },
});

/** Positions by their ids, for nodes. */
export const getMany = variantOf(get, {
  input: positionIdsInput,
  run: (scope, { positionIds }) => readPositionsByIds(scope.db, positionIds),
});

export const create = operation({
  name: 'positions.create',
  roles: admin,
  scopes: ['events:write'],
  writes: true,
  idempotent: true,
  input: newPosition,
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
  input: Type.Object({ ...named.properties, ...positionChanges.properties }, closed),
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
