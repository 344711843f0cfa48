import Type from 'typebox';
import { operation, variantOf } from '../access/operation.ts';
import { admin, everyRole } from '../access/permissions.ts';
import { limits } from '../config/limits.ts';
import { readSkillLevelsByIds } from '../db/skill-levels.ts';
import { notFound } from '../errors.ts';
import { closed, idOf, noInput, visibleText } from '../validation/schemas.ts';
import { addToCatalog, changeRow, refuseTakenName, removeUnused } from './catalog.ts';
import { versionInput } from './versions.ts';

const shown = { id: true, name: true, version: true } as const;

export const skillLevelInput = Type.Object({ name: visibleText(limits.nameChars, { description: 'Name.' }) }, closed);

export const skillLevelParams = Type.Object({ id: idOf('skill level') }, closed);

const skillLevelIdsInput = Type.Object({ skillLevelIds: Type.Array(idOf('skill level')) });

const named = { ...skillLevelParams.properties, ...versionInput };

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

/** The skill levels of call times that the caller sees, by the ids in those, in any order, in one statement. */
export const getByIds = operation({
  name: 'skillLevels.ofIds',
  roles: everyRole,
  scopes: ['read'],
  cacheable: true,
  input: skillLevelIdsInput,
  run: (scope, { skillLevelIds }) => readSkillLevelsByIds(scope.db, skillLevelIds),
});

export const get = operation({
  name: 'skillLevels.get',
  roles: admin,
  scopes: ['read'],
  cacheable: true,
  input: skillLevelParams,
  run: async ({ db }, { id }) => {
    const [level] = await readSkillLevelsByIds(db, [id]);
    if (!level) throw notFound('skill level');
    return level;
  },
});

/** Skill levels by their ids, for nodes. */
export const getMany = variantOf(get, {
  input: skillLevelIdsInput,
  run: (scope, { skillLevelIds }) => readSkillLevelsByIds(scope.db, skillLevelIds),
});

export const create = operation({
  name: 'skillLevels.create',
  roles: admin,
  scopes: ['events:write'],
  writes: true,
  idempotent: true,
  input: skillLevelInput,
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
  input: Type.Object({ ...named, ...skillLevelInput.properties }, closed),
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
