import Type, { type Static } from 'typebox';
import type { SkillLevelRow } from '../db/skill-levels.ts';
import * as skillLevels from '../services/skill-levels.ts';
import { answer, envelope } from './envelopes.ts';
import { textSchema, versionSchema } from './formats.ts';
import { route, type RestApp } from './route.ts';
import { OfVersion } from './versions.ts';

const noun = { tag: 'Skill levels', isExtension: true } as const;

export const SkillLevelView = Type.Object(
  {
    id: Type.Integer({ description: 'Skill level id.' }),
    name: textSchema('Name, unique in the business.'),
    version: versionSchema,
  },
  { title: 'SkillLevel' },
);

export const serializeSkillLevel = ({ id, name, version }: SkillLevelRow): Static<typeof SkillLevelView> => ({
  id,
  name,
  version,
});

const oneLevel = (row: SkillLevelRow, message?: string) =>
  new OfVersion(row, answer(serializeSkillLevel(row), message));

export function skillLevelRoutes(app: RestApp): void {
  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/skill_levels',
    calls: skillLevels.list,
    summary: 'List the skill levels of the business by name',
    response: envelope(Type.Array(SkillLevelView)),
    csv: {
      name: 'skill-levels',
      row: SkillLevelView,
      read: async (scope) => ({ rows: (await skillLevels.list(scope, {})).map(serializeSkillLevel), next: null }),
    },
    handle: async (scope) => answer((await skillLevels.list(scope, {})).map(serializeSkillLevel)),
  });

  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/skill_levels/:id',
    calls: skillLevels.get,
    operationId: 'skillLevels.get',
    summary: 'Read one skill level',
    params: skillLevels.skillLevelParams,
    response: envelope(SkillLevelView),
    etag: 'bytes',
    handle: async (scope, { params }) => oneLevel(await skillLevels.get(scope, params)),
  });

  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/skill_levels',
    calls: skillLevels.create,
    summary: 'Create a skill level',
    conflicts: true,
    body: skillLevels.skillLevelInput,
    status: 201,
    response: envelope(SkillLevelView),
    etag: 'row',
    handle: async (scope, { body }) => oneLevel(await skillLevels.create(scope, body), 'Skill level created.'),
  });

  route(app, {
    ...noun,
    method: 'PUT',
    url: '/v1/skill_levels/:id',
    calls: skillLevels.rename,
    summary: 'Rename a skill level',
    conflicts: true,
    params: skillLevels.skillLevelParams,
    body: skillLevels.skillLevelInput,
    response: envelope(SkillLevelView),
    etag: 'row',
    ifMatch: true,
    handle: async (scope, { params, body, precondition }) =>
      oneLevel(await skillLevels.rename(scope, { ...params, ...precondition, ...body }), 'Skill level updated.'),
  });

  route(app, {
    ...noun,
    method: 'DELETE',
    url: '/v1/skill_levels/:id',
    calls: skillLevels.remove,
    summary: 'Delete a skill level that nothing uses',
    description: 'Answers with its last state. Refused with 409 and a count in `in_use` while call times ask for it.',
    conflicts: true,
    params: skillLevels.skillLevelParams,
    response: envelope(SkillLevelView),
    ifMatch: true,
    handle: async (scope, { params, precondition }) =>
      answer(
        serializeSkillLevel(await skillLevels.remove(scope, { ...params, ...precondition })),
        'Skill level deleted.',
      ),
  });
}
