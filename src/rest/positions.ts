import Type, { type Static } from 'typebox';
import type { PositionRow } from '../db/positions.ts';
import { PayUnit } from '../generated/prisma/enums.ts';
import * as positions from '../services/positions.ts';
import { oneOf } from '../validation/schemas.ts';
import { answer, envelope } from './envelopes.ts';
import { decimalSchema, textSchema, versionSchema } from './formats.ts';
import { route, type RestApp } from './route.ts';
import { OfVersion } from './versions.ts';

const noun = { tag: 'Positions', isExtension: true } as const;

export const PositionView = Type.Object(
  {
    id: Type.Integer({ description: 'Position id.' }),
    title: textSchema('Title, unique in the business.'),
    default_pay_rate: decimalSchema('USD per `pay_unit`, for call times and shifts without a rate of their own.'),
    pay_unit: oneOf(Object.values(PayUnit), 'Unit of the rate of shifts in this position.'),
    version: versionSchema,
  },
  { title: 'Position' },
);

export const serializePosition = (row: PositionRow): Static<typeof PositionView> => ({
  id: row.id,
  title: row.title,
  default_pay_rate: row.defaultPayRate,
  pay_unit: row.payUnit,
  version: row.version,
});

const onePosition = (row: PositionRow, message?: string) => new OfVersion(row, answer(serializePosition(row), message));

export function positionRoutes(app: RestApp): void {
  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/positions',
    calls: positions.list,
    summary: 'List the positions of the business by title',
    response: envelope(Type.Array(PositionView)),
    csv: {
      name: 'positions',
      row: PositionView,
      read: async (scope) => ({ rows: (await positions.list(scope, {})).map(serializePosition), next: null }),
    },
    handle: async (scope) => answer((await positions.list(scope, {})).map(serializePosition)),
  });

  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/positions/:id',
    calls: positions.get,
    operationId: 'positions.get',
    summary: 'Read one position',
    params: positions.positionParams,
    response: envelope(PositionView),
    etag: 'bytes',
    handle: async (scope, { params }) => onePosition(await positions.get(scope, params)),
  });

  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/positions',
    calls: positions.create,
    summary: 'Create a position',
    conflicts: true,
    body: positions.newPosition,
    status: 201,
    response: envelope(PositionView),
    etag: 'row',
    handle: async (scope, { body }) => onePosition(await positions.create(scope, body), 'Position created.'),
  });

  route(app, {
    ...noun,
    method: 'PUT',
    url: '/v1/positions/:id',
    calls: positions.update,
    summary: 'Change a position',
    description: 'Changes only the fields sent. A new rate applies at once to every call time and shift without one.',
    conflicts: true,
    params: positions.positionParams,
    body: positions.positionChanges,
    response: envelope(PositionView),
    etag: 'row',
    ifMatch: true,
    handle: async (scope, { params, body, precondition }) =>
      onePosition(await positions.update(scope, { ...params, ...precondition, ...body }), 'Position updated.'),
  });

  route(app, {
    ...noun,
    method: 'DELETE',
    url: '/v1/positions/:id',
    calls: positions.remove,
    summary: 'Delete a position that nothing uses',
    description:
      'Answers with its last state. Refused with 409 and the counts in `in_use` while call times or shifts of any status have the position.',
    conflicts: true,
    params: positions.positionParams,
    response: envelope(PositionView),
    ifMatch: true,
    handle: async (scope, { params, precondition }) =>
      answer(serializePosition(await positions.remove(scope, { ...params, ...precondition })), 'Position deleted.'),
  });
}
