import type { Probe } from './probe.ts';
import { camelCase, findIds, isIdName, nounOf, type Id, type Ids } from './ids.ts';
import type { ApiCall, Instance } from './instance.ts';
import { makeSampleOfShape, type JsonShape } from './samples.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonShape;
}

export interface Route {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: JsonShape | null;
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, JsonShape>> };
}

interface OpenApiOperation {
  readonly parameters?: readonly Parameter[];
  readonly responses?: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonShape }>> };
}

/** Reads the routes of an OpenAPI document. Streams have no end, and show what the lists of their operations show. */
export function readRoutes(document: unknown): Route[] {
  const { paths, components } = document as OpenApiDocument;
  const resolved = (shape: JsonShape | undefined): JsonShape | null =>
    shape?.$ref ? resolved(components?.schemas?.[shape.$ref.split('/').at(-1) ?? '']) : (shape ?? null);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => !('text/event-stream' in (responses?.['200']?.content ?? {})))
      .map(([method, { parameters = [], requestBody }]) => ({
        method: method.toUpperCase(),
        path,
        parameters,
        body: resolved(requestBody?.content['application/json']?.schema),
      })),
  );
}

export const routeName = ({ method, path }: Route): string => `${method} ${path}`;

const isList = ({ method, path, parameters }: Route) =>
  method === 'GET' && !path.includes('{') && parameters.every(({ required }) => required !== true);

const pagesMax = 20;

/**
 * Reads everything that a business sees through a list. Collects ids by `path name` and returns one text per page; null
 * if the business may not read it.
 */
export async function readList(instance: Instance, { path, parameters }: Route, ids: Ids): Promise<string[] | null> {
  const pages: string[] = [];
  const takesPages = parameters.some(({ name }) => name === 'page');
  for (let page = 1; page <= pagesMax; page++) {
    const { status, body } = await instance.call({
      method: 'GET',
      path: takesPages ? `${path}?page=${page}&per_page=100` : path,
    });
    if (status >= 400) return pages.length > 0 ? pages : null;
    const before = ids.size;
    findIds(body, (name, id) => ids.add(`${path} ${name}`, id));
    pages.push(JSON.stringify(body));
    if (!takesPages || ids.size === before) break;
  }
  return pages;
}

export const findLists = (routes: readonly Route[]): Route[] => routes.filter(isList);

/** Creates one probe for each parameter and each body field that takes an id. */
export function restProbes(
  routes: readonly Route[],
  a: Ids,
  b: Ids,
  placesFor: (name: string, near: string, description?: string) => string[],
) {
  return routes.flatMap((route): Probe[] => {
    const inBody = Object.entries(route.body?.properties ?? {}).map(([name, schema]) => ({ name, in: 'body', schema }));
    const namings = [...route.parameters, ...inBody].filter(
      ({ name, in: place, schema }) =>
        (place === 'path' && !namesNoRow(name, schema)) || (place !== 'header' && isIdName(name) && isRowName(schema)),
    );
    const placesOf = ({ name, schema, description = schema.description }: Naming) => {
      const list = route.path.slice(0, route.path.indexOf(`/{${name}}`));
      const inList = [`${list} ${name}`, ...(nounOf(name) === '' ? [] : [`${list} id`])];
      return [
        ...(route.path.includes(`{${name}}`) ? inList : []),
        ...placesFor(camelCase(name), lastNoun(list), description),
        ...a.places().filter((place) => isListOf(nounOf(name), place)),
      ];
    };
    const idFrom = (ids: Ids, others: Ids, naming: Naming): Id | null =>
      placesOf(naming)
        .flatMap((place) => ids.at(place).filter((id) => !others.has(place, id)))
        .find((id) => (typeof id === 'number') === isNumber(naming)) ?? null;
    return namings.map((naming) => ({
      surface: 'REST',
      target: routeName(route),
      argument: naming.name,
      writes: route.method !== 'GET',
      foreign: idFrom(a, b, naming),
      others: namings.filter(({ name, in: place }) => place !== 'path' && name !== naming.name).map(({ name }) => name),
      call: (id, { named, samples }) => {
        const others = namings.filter(({ name, in: place }) => place === 'path' || named.includes(name));
        const own = others.map((other) => [other.name, idFrom(b, a, other)] as const);
        return buildCall(route, new Map([...own, [naming.name, id]]), samples);
      },
    }));
  });
}

/** An input that names a row. */
type Naming = Pick<Parameter, 'name' | 'schema' | 'description'>;

/** The shape of an id, or of each in a list of ids. */
const idShape = (schema: JsonShape): JsonShape => schema.items ?? schema;

const isNumber = ({ schema }: Naming) => [idShape(schema).type].flat().includes('integer');

const isRowName = (schema: JsonShape) => isNumber({ name: '', schema }) || idShape(schema).format === 'uuid';

/** A text called `id` is the caller's own name of a row, and a token is a secret: neither is an id of another business. */
const namesNoRow = (name: string, { type }: JsonShape) => type === 'string' && ['id', 'token'].includes(name);

/** The singular noun at the end of a path: `callTime` for `/v1/call_times`. */
const lastNoun = (path: string) => camelCase((path.split('/').at(-1) ?? '').replace(/s$/, ''));

/** Whether ids of this noun are read at a place: those of `customField` at `/v1/custom_fields uuid`. */
function isListOf(noun: string, place: string): boolean {
  const [path = '', name = ''] = place.split(' ');
  return noun !== '' && lastNoun(path) === noun && nounOf(name) === '';
}

/** Whether a parameter belongs to an id that is sent: `custom_field_value` to `custom_field_uuid`. Another id does not. */
function isBeside(name: string, ids: ReadonlyMap<string, Id | null>): boolean {
  if (isIdName(name)) return false;
  return [...ids].some(
    ([other, id]) =>
      id !== null && other !== name && /_(uu)?id$/.test(other) && name.startsWith(other.replace(/(uu)?id$/, '')),
  );
}

function buildCall(
  { method, path, parameters, body }: Route,
  ids: ReadonlyMap<string, Id | null>,
  samples: boolean,
): ApiCall {
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids.get(name) ?? 1));
  const query = new URLSearchParams(
    parameters
      .filter(
        (each) => each.in === 'query' && (each.required === true || ids.get(each.name) || isBeside(each.name, ids)),
      )
      .map(({ name, schema }): [string, string] => [name, String(ids.get(name) ?? makeSampleOfShape(name, schema))]),
  ).toString();
  const full = samples
    ? { ...body, required: Object.keys(body?.properties ?? {}).filter((name) => !isIdName(name)) }
    : body;
  const given = [...ids].flatMap(([name, id]) => {
    const shape = id === null ? undefined : body?.properties?.[name];
    return shape ? [[name, shape.items ? [id] : id] as const] : [];
  });
  return {
    method,
    path: query ? `${named}?${query}` : named,
    ...(body && { body: { ...(makeSampleOfShape('', full ?? body) as object), ...Object.fromEntries(given) } }),
  };
}
