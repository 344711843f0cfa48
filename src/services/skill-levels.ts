import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { admin } from '../access/permissions.ts';
import { limits } from '../config/limits.ts';
import { closed, idOf, noInput, visibleText } from '../validation/schemas.ts';
import { addToCatalog, changeRow, refuseTakenName, removeUnused } from './catalog.ts';
import { versionInput } from './versions.ts';

const shown = { id: true, name: true, version: true } as const;

const fields = { name: visibleText(limits.nameChars, { description: 'Name.' }) };

const named = { id: idOf('skill level'), ...versionInput };

/** The skill levels of the business by name. */
export const list = operation({
  name: 'skillLevels.list',
  roles: admin,
  scopes: ['read'],
  cacheable: true,
  input: noInput,
  run: ({ db }) =>
    db.skillLevel.findMany({ orderBy: [{ name: 'asc' }, { id: 'asc' }], take: limits.catalogRowsMax, select: shown }),
});

export const create = operation({
  name: 'skillLevels.create',
  roles: admin,
  scopes: ['events:write'],
  writes: true,
  idempotent: true,
  input: Type.Object(fields, closed),
  run: (scope, { name }) =>
    addToCatalog(
      scope,
      (db) => db.skillLevel.count(),
      async ({ db, businessId, record }) => {
        const level = await refuseTakenName(
          'name',
          db.skillLevel.create({ data: { businessId, name }, select: shown }),
        );
        record({ kind: 'skillLevel', id: level.id });
        return level;
      },
    ),
});

export const rename = operation({
  name: 'skillLevels.update',
  roles: admin,
  scopes: ['events:write'],
  writes: true,
  input: Type.Object({ ...named, ...fields }, closed),
  run: (scope, { id, expectedVersions, name }) =>
    changeRow(scope, 'SkillLevel', { id, expectedVersions }, async ({ db, businessId, record }) => {
      const where = { businessId_id: { businessId, id } };
      const level = await refuseTakenName('name', db.skillLevel.update({ where, data: { name }, select: shown }));
      record({ kind: 'skillLevel', id });
      return level;
    }),
});

/** Deletes a skill level. It is refused while a call time asks for it. */
export const remove = operation({
  name: 'skillLevels.delete',
  roles: admin,
  scopes: ['events:write'],
  writes: true,
  input: Type.Object(named, closed),
  run: (scope, { id, expectedVersions }) =>
    removeUnused(
      scope,
      'SkillLevel',
      { id, expectedVersions },
      async (db) => ({ callTimes: await db.callTime.count({ where: { skillLevelId: id } }) }),
      async ({ db, businessId, record }) => {
        const level = await db.skillLevel.delete({ where: { businessId_id: { businessId, id } }, select: shown });
        record({ kind: 'skillLevel', id });
        return level;
      },
    ),
});
