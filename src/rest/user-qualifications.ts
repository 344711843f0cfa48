import Type from 'typebox';
import type { CallScope } from '../access/scope.ts';
import type { UserQualificationRow } from '../db/user-qualifications.ts';
import { endangeredText } from '../fields/user-qualifications.ts';
import { pageNumberInput } from '../paging/input.ts';
import * as userQualifications from '../services/user-qualifications.ts';
import { nullable } from '../validation/schemas.ts';
import { batchRoute } from './batch.ts';
import { answer, envelope } from './envelopes.ts';
import { textSchema, versionSchema } from './formats.ts';
import { listRoute } from './lists.ts';
import { route, type RestApp } from './route.ts';
import { OfVersion } from './versions.ts';
import { titled, viewOf } from './views.ts';
import { FullShift, serializeFullShifts } from './work-shifts-full.ts';

const day = (description: string) => nullable(Type.String({ format: 'date', description, examples: ['2027-03-31'] }));

export const { schema: UserQualificationView, serialize: serializeUserQualification } = viewOf<UserQualificationRow>(
  'UserQualification',
)({
  id: Type.Integer({ description: 'Id of the held qualification.' }),
  user_id: Type.Integer({ description: 'Id of the person who holds it.' }),
  qualification_id: Type.Integer({ description: 'Id of the qualification.' }),
  level: nullable(Type.Integer({ description: 'Level; null for none, which meets no lowest level.' })),
  valid_from: day('First day on which it is valid; null: without a begin.'),
  valid_until: day('Last day on which it is valid; null: without an end.'),
  reference: nullable(textSchema('Such as the number of the certificate; null if there is none.')),
  version: versionSchema,
});

const ExpiringView = titled('ExpiringQualification', {
  held: UserQualificationView,
  shifts: Type.Array(FullShift, {
    description: endangeredText,
  }),
});

type Expiring = Awaited<ReturnType<typeof userQualifications.expiring>>['rows'][number];

async function serializeExpiring(scope: CallScope, rows: readonly Expiring[]) {
  const serializeShift = await serializeFullShifts(
    scope,
    rows.flatMap(({ shifts }) => shifts),
  );
  return ({ held, shifts }: Expiring) => ({
    held: serializeUserQualification(held),
    shifts: shifts.map(serializeShift),
  });
}

const noun = { tag: 'Qualifications', isExtension: true } as const;
const oneRow = (row: UserQualificationRow, message?: string) =>
  new OfVersion(row, answer(serializeUserQualification(row), message));

export function userQualificationRoutes(app: RestApp): void {
  listRoute(app, {
    ...noun,
    url: '/v1/user_qualifications',
    calls: userQualifications.list,
    operationId: 'userQualifications.list',
    summary: 'List what people hold, by id',
    description: 'Staff see their own.',
    query: Type.Object({ ...userQualifications.userQualificationFilter.properties, ...pageNumberInput() }),
    item: UserQualificationView,
    csvName: 'user-qualifications',
    read: (scope, { query }) => userQualifications.list(scope, query),
    serializeAll: () => serializeUserQualification,
  });

  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/user_qualifications/:id',
    calls: userQualifications.get,
    operationId: 'userQualifications.get',
    summary: 'Read one held qualification',
    params: userQualifications.userQualificationParams,
    response: envelope(UserQualificationView),
    etag: 'bytes',
    handle: async (scope, { params }) => oneRow(await userQualifications.get(scope, params)),
  });

  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/user_qualifications',
    calls: userQualifications.create,
    summary: 'Note a qualification that a staff member holds',
    description: 'One that has ended already is kept as such.',
    conflicts: true,
    body: userQualifications.newUserQualification,
    status: 201,
    created: '/v1/user_qualifications/:id',
    response: envelope(UserQualificationView),
    etag: 'row',
    handle: async (scope, { body }) =>
      oneRow(await userQualifications.create(scope, body), 'Held qualification created.'),
  });

  batchRoute(app, {
    ...noun,
    url: '/v1/user_qualifications/batch',
    calls: userQualifications.createMany,
    summary: 'Note several qualifications that staff members hold',
    title: 'UserQualification',
    field: 'user_qualification',
    input: userQualifications.newUserQualification,
    row: UserQualificationView,
    serializeAll: async () => serializeUserQualification,
  });

  route(app, {
    ...noun,
    method: 'PUT',
    url: '/v1/user_qualifications/:id',
    calls: userQualifications.update,
    summary: 'Change a held qualification',
    description: 'Changes only the fields sent.',
    params: userQualifications.userQualificationParams,
    body: userQualifications.userQualificationChanges,
    response: envelope(UserQualificationView),
    etag: 'row',
    ifMatch: true,
    handle: async (scope, { params, body, precondition }) =>
      oneRow(
        await userQualifications.update(scope, { ...params, ...precondition, ...body }),
        'Held qualification updated.',
      ),
  });

  route(app, {
    ...noun,
    method: 'DELETE',
    url: '/v1/user_qualifications/:id',
    calls: userQualifications.remove,
    summary: 'Delete a held qualification',
    description: 'Answers with its last state.',
    params: userQualifications.userQualificationParams,
    response: envelope(UserQualificationView),
    ifMatch: true,
    handle: async (scope, { params, precondition }) =>
      answer(
        serializeUserQualification(await userQualifications.remove(scope, { ...params, ...precondition })),
        'Held qualification deleted.',
      ),
  });

  listRoute(app, {
    ...noun,
    url: '/v1/expiring_qualifications',
    calls: userQualifications.expiring,
    summary: 'List what staff hold that ends soon, and the booked shifts that this endangers',
    description: 'By its end, on the clocks of the business. What somebody has renewed without a gap is left out.',
    query: userQualifications.expiringQuery,
    item: ExpiringView,
    read: (scope, { query }) => userQualifications.expiring(scope, query),
    serializeAll: serializeExpiring,
  });
}
