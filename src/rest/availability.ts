import Type, { type Static, type TObject } from 'typebox';
import type { CallScope } from '../access/scope.ts';
import { exceptionFields, patternFields } from '../fields/availability.ts';
import * as availability from '../services/availability.ts';
import { closedObject } from '../validation/schemas.ts';
import { batchRoute } from './batch.ts';
import { snakeCase } from './dialect.ts';
import { answer, envelope } from './envelopes.ts';
import { type AddRoutes, type RestApp, route } from './route.ts';
import { OfVersion } from './versions.ts';
import { viewOfList } from './shapes.ts';
import { titled } from './views.ts';
import { FullShift, serializeFullShifts } from './work-shifts-full.ts';

const noun = { tag: 'Availability', isExtension: true } as const;

export const patternView = viewOfList('AvailabilityPattern', patternFields, { omit: ['id'], nulls: 'anyOf' });
export const exceptionView = viewOfList('AvailabilityException', exceptionFields, { omit: ['id'], nulls: 'anyOf' });

const contradicted = (of: string) => ({
  contradicted_shifts: Type.Array(FullShift, {
    description: `Active shifts of the person that have not ended and for which they are unavailable ${of}. They stay as they are.`,
  }),
});

const AvailabilityView = titled('Availability', {
  patterns: Type.Array(patternView.schema, { description: 'Weekly windows, from Monday on.' }),
  exceptions: Type.Array(exceptionView.schema, { description: 'Exceptions from the patterns, by start.' }),
  ...contradicted('now'),
});

function availabilityRoute(app: RestApp): void {
  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/users/:staff_id/availability',
    calls: availability.get,
    summary: 'Read what a staff member has said of when they can work',
    description: 'Staff read their own, admins that of everybody.',
    params: availability.personParams,
    response: envelope(AvailabilityView),
    handle: async (scope, { params }) => {
      const { patterns, exceptions, contradictedShifts } = await availability.get(scope, params);
      const serializeShift = await serializeFullShifts(scope, contradictedShifts);
      return answer({
        patterns: patterns.map(patternView.serialize),
        exceptions: exceptions.map(exceptionView.serialize),
        contradicted_shifts: contradictedShifts.map(serializeShift),
      });
    },
  });
}

interface RowView<Row> {
  readonly schema: TObject;
  readonly serialize: (row: Row) => Record<PropertyKey, unknown>;
}

/** The routes of one kind of what people say of their availability: one each to read, create, change and delete a row. */
function rowRoutes<Row extends { id: number; userId: number; version: number }, Sent extends object>(
  operations: availability.AvailabilityOperations<Row, Sent>,
  { schema, serialize }: RowView<Row>,
): AddRoutes {
  const { model, kind, noun: rowNoun, params } = operations;
  const last = `availability/${kind === 'availabilityPattern' ? 'patterns' : 'exceptions'}`;
  const url = `/v1/${last}/:uuid`;
  const Noun = rowNoun.charAt(0).toUpperCase() + rowNoun.slice(1);
  const response = envelope(titled(`${model}Change`, { ...schema.properties, ...contradicted('since this change') }));
  type Change = availability.AvailabilityChange<Row>;
  const serializeChanges = async (scope: CallScope, changes: readonly Change[]) => {
    const shifts = changes.flatMap(({ contradictedShifts }) => contradictedShifts);
    const serializeShift = await serializeFullShifts(scope, shifts);
    return ({ row, contradictedShifts }: Change) =>
      ({ ...serialize(row), contradicted_shifts: contradictedShifts.map(serializeShift) }) as Static<
        (typeof response)['properties']['data']
      >;
  };
  const oneChange = async (scope: CallScope, change: Change, done: string) => {
    const serializeChange = await serializeChanges(scope, [change]);
    return new OfVersion(change.row, answer(serializeChange(change), `${Noun} ${done}.`));
  };
  const ofWhom = 'Staff change their own, admins that of everybody.';

  return (app) => {
    route(app, {
      ...noun,
      method: 'POST',
      url: `/v1/users/:staff_id/${last}`,
      calls: operations.create,
      summary: `Create an ${rowNoun}`,
      description: ofWhom,
      conflicts: true,
      dryRun: true,
      params: availability.personParams,
      body: operations.newRow,
      status: 201,
      created: url,
      response,
      etag: 'row',
      handle: async (scope, { params: person, body }) =>
        oneChange(scope, await operations.create(scope, { ...(body as Sent), ...person }), 'created'),
    });

    batchRoute(app, {
      ...noun,
      url: `/v1/${last}/batch`,
      calls: operations.createMany,
      summary: `Create several ${rowNoun}s, of one person or of many`,
      description: ofWhom,
      title: model,
      field: snakeCase(kind),
      input: closedObject({ ...availability.personParams.properties, ...operations.newRow.properties }),
      row: response.properties.data,
      serializeAll: serializeChanges,
    });

    route(app, {
      ...noun,
      method: 'GET',
      url,
      calls: operations.get,
      operationId: `${kind}s.get`,
      summary: `Read one ${rowNoun}`,
      params,
      response: envelope(schema),
      etag: 'bytes',
      handle: async (scope, input) => {
        const row = await operations.get(scope, input.params);
        return new OfVersion(row, answer(serialize(row)));
      },
    });

    route(app, {
      ...noun,
      method: 'PUT',
      url,
      calls: operations.update,
      summary: `Change an ${rowNoun}`,
      description: `Changes only the fields sent. ${ofWhom}`,
      dryRun: true,
      params,
      body: operations.changes,
      response,
      etag: 'row',
      ifMatch: true,
      handle: async (scope, { params: { uuid }, body, precondition }) =>
        oneChange(
          scope,
          await operations.update(scope, { uuid, ...precondition, ...(body as Partial<Sent>) }),
          'updated',
        ),
    });

    route(app, {
      ...noun,
      method: 'DELETE',
      url,
      calls: operations.remove,
      summary: `Delete an ${rowNoun}`,
      description: `Answers with its last state. ${ofWhom}`,
      dryRun: true,
      params,
      response,
      ifMatch: true,
      handle: async (scope, { params: { uuid }, precondition }) =>
        (await oneChange(scope, await operations.remove(scope, { uuid, ...precondition }), 'deleted')).body,
    });
  };
}

export const availabilityRoutes: readonly AddRoutes[] = [
  availabilityRoute,
  rowRoutes(availability.patterns, patternView),
  rowRoutes(availability.exceptions, exceptionView),
];
