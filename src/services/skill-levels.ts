import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { limits } from '../config/limits.ts';
import { closed, idOf, visibleText } from '../validation/schemas.ts';
import { addTo, changeRow, orTaken, removeUnused } from './catalog.ts';
import { expectedVersions } from './versions.ts';

const shown = { id: true, name: true, version: true } as const;

const fields = { name: visibleText(limits.nameChars, { description: 'Name.' }) };

const named = { id: idOf('skill level'), ...expectedVersions };

/** The skill levels of the business by name. */
export const list = operation('skillLevels.list', Type.Object({}, closed), ({ db }) =>
  db.skillLevel.findMany({ orderBy: [{ name: 'asc' }, { id: 'asc' }], take: limits.catalogRowsMax, select: shown }),
);

export const create = operation('skillLevels.create', Type.Object(fields, closed), (scope, { name }) =>
  addTo(
    scope,
    (db) => db.skillLevel.count(),
    ({ db, businessId }) => orTaken('name', db.skillLevel.create({ data: { businessId, name }, select: shown })),
  ),
);

export const rename = operation(
  'skillLevels.update',
  Type.Object({ ...named, ...fields }, closed),
  (scope, { id, expectedVersions, name }) =>
    changeRow(scope, 'skill level', { id, expectedVersions }, ({ db, businessId }) =>
      orTaken(
        'name',
        db.skillLevel.update({ where: { businessId_id: { businessId, id } }, data: { name }, select: shown }),
      ),
    ),
);

/** Only while no call time asks for it. */
export const remove = operation('skillLevels.delete', Type.Object(named, closed), (scope, { id, expectedVersions }) =>
  removeUnused(
    scope,
    'skill level',
    { id, expectedVersions },
    async (db) => ({ callTimes: await db.callTime.count({ where: { skillLevelId: id } }) }),
    ({ db, businessId }) => db.skillLevel.delete({ where: { businessId_id: { businessId, id } }, select: shown }),
  ),
);
