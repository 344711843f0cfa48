import Type, { type Static } from 'typebox';
import { limits } from '../config/limits.ts';
import { Role } from '../generated/prisma/enums.ts';
import { pageNumberInput } from '../paging/input.ts';
import { createMany } from '../services/users-create-many.ts';
import { leaverInput } from '../services/users-role.ts';
import * as users from '../services/users.ts';
import { closedObject, oneOf } from '../validation/schemas.ts';
import { toCsvPage } from './csv.ts';
import { serializePage } from './envelopes.ts';
import { eachByItself, costOfBatch, outcomeOf, refusalProperties, serializeRefusal } from './refusals.ts';
import { route, type RestApp } from './route.ts';
import { OfVersion } from './versions.ts';
import { titled, viewOf } from './views.ts';

const tag = 'Users';

export type UserRow = Awaited<ReturnType<typeof users.get>>;

export const userFields = {
  id: Type.Integer({ description: 'User id.' }),
  name: Type.String({ description: 'Full name.' }),
  email: Type.String({ description: 'E-mail address.' }),
  role: oneOf(Object.values(Role), 'Role of the user.'),
  created_at: Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' }),
  updated_at: Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' }),
};
const { schema: UserView, serialize: serializeUser } = viewOf<UserRow>('User')(userFields);

const one = Type.Object({ data: UserView });

const createManyBody = closedObject({
  inputs: Type.Array(users.createUserRow, { maxItems: limits.namedItemsMax, description: 'The users.' }),
});

const Outcome = outcomeOf('UserOutcome', 'user', {
  row: UserView,
  refusal: titled('UserRefusal', refusalProperties),
});

const oneUser = (user: UserRow) => new OfVersion(user, { data: serializeUser(user) });

export function userRoutes(app: RestApp): void {
  route(app, {
    method: 'GET',
    url: '/api/v1/users',
    calls: users.list,
    tag,
    summary: 'List the users of the business',
    description: 'The parameter `search` is an extension of the contract.',
    query: Type.Object({ ...users.userFilter.properties, ...pageNumberInput() }),
    response: Type.Object({
      data: Type.Array(UserView),
      meta: Type.Object({ current_page: Type.Integer(), per_page: Type.Integer(), total: Type.Integer() }),
    }),
    csv: {
      name: 'users',
      row: UserView,
      read: async (scope, { query }) => toCsvPage(await users.list(scope, query), serializeUser),
    },
    handle: async (scope, { query }) => {
      const page = await users.list(scope, { ...query, withTotal: true });
      const { data, current_page, per_page, total } = await serializePage(page, serializeUser);
      return { data, meta: { current_page, per_page, total } };
    },
  });

  route(app, {
    method: 'GET',
    url: '/api/v1/users/:id',
    calls: users.get,
    tag,
    summary: 'Read one user',
    params: users.userParams,
    response: one,
    etag: 'bytes',
    handle: async (scope, { params }) => oneUser(await users.get(scope, params)),
  });

  route(app, {
    method: 'POST',
    url: '/api/v1/users',
    calls: users.create,
    tag,
    summary: 'Create a user',
    description: 'The field `phone` is an extension of the contract: `/v1/staff` shows it.',
    conflicts: true,
    body: users.createUserInput,
    example: {
      email: 'robin.fields@aurora.example',
      password: 'correct horse battery staple',
      name: 'Robin Fields',
      role: 'staff',
    },
    status: 201,
    created: '/api/v1/users/:id',
    response: one,
    etag: 'row',
    handle: async (scope, { body }) => oneUser(await users.create(scope, body)),
  });

  route(app, {
    method: 'POST',
    url: '/api/v1/users/batch',
    calls: createMany,
    isExtension: true,
    tag,
    summary: 'Create several users',
    description: `${eachByItself} ${costOfBatch}.`,
    body: createManyBody,
    example: {
      inputs: [
        {
          email: 'kim.meadow@aurora.example',
          password: 'correct horse battery staple',
          name: 'Kim Meadow',
          role: 'staff',
        },
      ],
    },
    status: 201,
    response: Type.Object({ data: Type.Array(Outcome) }),
    handle: async (scope, { body, log }) => {
      const outcomes = await createMany(scope, body);
      const data = outcomes.map((outcome) =>
        'user' in outcome
          ? { user: serializeUser(outcome.user), error: null }
          : { user: null, error: serializeRefusal(outcome.failure, log, { input: users.createUserRow }) },
      );
      return { data: data as Static<typeof Outcome>[] };
    },
  });

  route(app, {
    method: 'PUT',
    url: '/api/v1/users/:id',
    calls: users.update,
    tag,
    summary: 'Change a user',
    description:
      'Changes only the fields sent. The last admin stays an admin. The field `phone` is an extension of the contract: `/v1/staff` shows it.',
    conflicts: true,
    params: users.userParams,
    body: users.userChanges,
    example: { name: 'Robin Fields' },
    response: one,
    etag: 'row',
    ifMatch: true,
    handle: async (scope, { params, body, precondition }) =>
      oneUser(await users.update(scope, { ...params, ...precondition, ...body })),
  });

  route(app, {
    method: 'DELETE',
    url: '/api/v1/users/:id',
    calls: users.remove,
    tag,
    summary: 'Delete a user',
    description:
      'Revokes all tokens of the user at once; their shifts keep the name. A user with active shifts that have not ended is refused with 409 and a count in `in_use`, unless `shifts` is `cancel`, which cancels them in the same transaction; a client of events to come unless `events` is `keep`. The last admin cannot be deleted.',
    conflicts: 'shown',
    params: users.userParams,
    query: Type.Object(leaverInput),
    exampleFields: ['shifts'],
    response: Type.Object({ message: Type.String() }),
    ifMatch: true,
    handle: async (scope, { params, query, precondition }) => {
      await users.remove(scope, { ...params, ...query, ...precondition });
      return { message: 'User deleted.' };
    },
  });
}
