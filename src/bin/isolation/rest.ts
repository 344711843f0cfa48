import type { Probe } from './probe.ts';
import { camelCase, findIds, isIdName, nounOf, type Id, type Ids } from './ids.ts';
import type { ApiCall, Instance } from './instance.ts';
import { makeSampleOfShape, type JsonShape } from './samples.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
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
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonShape }>> };
}

export function readRoutes(document: unknown): Route[] {
  const { paths, components } = document as OpenApiDocument;
  const resolved = (shape: JsonShape | undefined): JsonShape | null =>
    shape?.$ref ? resolved(components?.schemas?.[shape.$ref.split('/').at(-1) ?? '']) : (shape ?? null);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
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
  placesFor: (name: string, near: string) => string[],
) {
  return routes.flatMap((route): Probe[] => {
    const inBody = Object.entries(route.body?.properties ?? {}).map(([name, schema]) => ({ name, in: 'body', schema }));
    const namings = [...route.parameters, ...inBody].filter(
      ({ name, in: place, schema }) => place === 'path' || (place !== 'header' && isIdName(name) && isRowName(schema)),
    );
    const placesOf = (name: string) => {
      const list = route.path.slice(0, route.path.indexOf(`/{${name}}`));
      const inList = [`${list} ${name}`, ...(nounOf(name) === '' ? [] : [`${list} id`])];
      return [...(route.path.includes(`{${name}}`) ? inList : []), ...placesFor(camelCase(name), lastNoun(list))];
    };
    const idFrom = (ids: Ids, others: Ids, name: string): Id | null =>
      placesOf(name).flatMap((place) => ids.at(place).filter((id) => !others.has(place, id)))[0] ?? null;
    return namings.map((naming) => ({
      surface: 'REST',
      target: routeName(route),
      argument: naming.name,
      writes: route.method !== 'GET',
      foreign: idFrom(a, b, naming.name),
      others: namings.filter(({ name, in: place }) => place !== 'path' && name !== naming.name).map(({ name }) => name),
      call: (id, { named, samples }) => {
        const others = namings.filter(({ name, in: place }) => place === 'path' || named.includes(name));
        const own = others.map(({ name }) => [name, idFrom(b, a, name)] as const);
        return buildCall(route, new Map([...own, [naming.name, id]]), samples);
      },
    }));
  });
}

const isRowName = ({ type, format }: JsonShape) => [type].flat().includes('integer') || format === 'uuid';

/** The singular noun at the end of a path: `event` for `/v1/events`. */
const lastNoun = (path: string) => (path.split('/').at(-1) ?? '').replace(/s$/, '');

function buildCall(
  { method, path, parameters, body }: Route,
  ids: ReadonlyMap<string, Id | null>,
  samples: boolean,
): ApiCall {
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids.get(name) ?? 1));
  const query = new URLSearchParams(
    parameters
      .filter((each) => each.in === 'query' && (each.required === true || ids.get(each.name)))
      .map(({ name, schema }): [string, string] => [name, String(ids.get(name) ?? makeSampleOfShape(name, schema))]),
  ).toString();
  const full = samples
    ? { ...body, required: Object.keys(body?.properties ?? {}).filter((name) => !isIdName(name)) }
    : body;
  const given = [...ids].filter(([name, id]) => id !== null && body?.properties?.[name]);
  return {
    method,
    path: query ? `${named}?${query}` : named,
    ...(body && { body: { ...(makeSampleOfShape('', full ?? body) as object), ...Object.fromEntries(given) } }),
  };
}
