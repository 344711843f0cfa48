import Type, { IsArray, type TObject } from 'typebox';
import type { Catalog } from '../fields/catalogs.ts';
import type { createCatalog } from '../services/catalogs.ts';
import { answer, envelope } from './envelopes.ts';
import { type AddRoutes, route } from './route.ts';
import { OfVersion } from './versions.ts';

interface CatalogApi<Row extends { readonly id: number }, New extends TObject, Changes extends TObject> {
  readonly operations: ReturnType<typeof createCatalog<Row, New, Changes>>;
  readonly view: {
    readonly schema: TObject;
    readonly serialize: (row: Row) => Record<PropertyKey, unknown>;
  };
  /** How the reference describes a change. */
  readonly update: { readonly summary: string; readonly description?: string };
}

/** The routes of a catalog: its list, and one each to read, create, change and delete a row. */
export function catalogRoutes<
  Row extends { readonly id: number; readonly version: number },
  New extends TObject,
  Changes extends TObject,
>({ operations, view: { schema, serialize }, update }: CatalogApi<Row, New, Changes>): AddRoutes {
  const { catalog, list, get, create, remove, params } = operations;
  const { table, label, many, noun, aNoun, nouns, title, uses } = catalog;
  const fixed = { tag: title, isExtension: true } as const;
  const url = `/v1/${table}`;
  const Noun = noun.charAt(0).toUpperCase() + noun.slice(1);
  const oneRow = (row: Row, message?: string) => new OfVersion(row, answer(serialize(row), message));

  return (app) => {
    route(app, {
      ...fixed,
      method: 'GET',
      url,
      calls: list,
      summary: `List the ${nouns} of the business by ${label}`,
      response: envelope(Type.Array(schema)),
      csv: {
        name: table.replaceAll('_', '-'),
        row: Type.Object(Object.fromEntries(Object.entries(schema.properties).filter(([, each]) => !IsArray(each)))),
        read: async (scope) => ({ rows: (await list(scope, {})).map(serialize), next: null }),
      },
      handle: async (scope) => answer((await list(scope, {})).map(serialize)),
    });

    route(app, {
      ...fixed,
      method: 'GET',
      url: `${url}/:id`,
      calls: get,
      operationId: `${many}.get`,
      summary: `Read one ${noun}`,
      params,
      response: envelope(schema),
      etag: 'bytes',
      handle: async (scope, input) => oneRow(await get(scope, input.params)),
    });

    route(app, {
      ...fixed,
      method: 'POST',
      url,
      calls: create,
      summary: `Create ${aNoun}`,
      conflicts: true,
      body: operations.newRow,
      status: 201,
      created: `${url}/:id`,
      response: envelope(schema),
      etag: 'row',
      handle: async (scope, { body }) => oneRow(await create(scope, body), `${Noun} created.`),
    });

    route(app, {
      ...fixed,
      ...update,
      method: 'PUT',
      url: `${url}/:id`,
      calls: operations.update,
      conflicts: true,
      params,
      body: operations.changes,
      response: envelope(schema),
      etag: 'row',
      ifMatch: true,
      handle: async (scope, { params: { id }, body, precondition }) =>
        oneRow(await operations.update(scope, { id, ...precondition, ...body }), `${Noun} updated.`),
    });

    route(app, {
      ...fixed,
      method: 'DELETE',
      url: `${url}/:id`,
      calls: remove,
      summary: `Delete ${aNoun}${uses ? ' that nothing uses' : ''}`,
      description: `Answers with its last state.${uses ? describeRefusal(uses) : ''}`,
      conflicts: uses !== null,
      params,
      response: envelope(schema),
      ifMatch: true,
      handle: async (scope, { params: { id }, precondition }) =>
        answer(serialize(await remove(scope, { id, ...precondition })), `${Noun} deleted.`),
    });
  };
}

function describeRefusal({ by, inRest }: NonNullable<Catalog['uses']>): string {
  const counts = Object.keys(by).length > 1 ? 'the counts' : 'a count';
  return ` Refused with 409 and ${counts} in \`in_use\` ${inRest}.`;
}
