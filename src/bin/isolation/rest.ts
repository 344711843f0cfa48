import type { Attempt } from './attempt.ts';
import { camelCase, idsIn, isIdName, nounOf, type Id, type Ids } from './ids.ts';
import type { Call, Instance } from './instance.ts';
import { sampleOfShape } from './samples.ts';

/** JSON Schema, as much of it as is looked at here. */
export interface Shape {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly description?: string;
  readonly minimum?: number;
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Shape;
}

export interface Route {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Shape | null;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Shape>> };
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Shape }>> };
}

export function routesOf(document: unknown): Route[] {
  const { paths, components } = document as Document;
  const resolved = (shape: Shape | undefined): Shape | null =>
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

export const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

const isList = ({ method, path, parameters }: Route) =>
  method === 'GET' && !path.includes('{') && parameters.every(({ required }) => required !== true);

const pagesMax = 20;

/** What a business reads by a list: a text for each page, its ids by `path name`. Null where the list is not for it. */
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
    idsIn(body, (name, id) => ids.add(`${path} ${name}`, id));
    pages.push(JSON.stringify(body));
    if (!takesPages || ids.size === before) break;
  }
  return pages;
}

export const listsOf = (routes: readonly Route[]): Route[] => routes.filter(isList);

/** Every parameter and every field of a body that names a row, with ids as they were read by lists and by GraphQL. */
export function restAttempts(
  routes: readonly Route[],
  a: Ids,
  b: Ids,
  placesFor: (name: string, near: string) => string[],
) {
  return routes.flatMap((route): Attempt[] => {
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
      target: nameOf(route),
      argument: naming.name,
      writes: route.method !== 'GET',
      foreign: idFrom(a, b, naming.name),
      others: namings.filter(({ name, in: place }) => place !== 'path' && name !== naming.name).map(({ name }) => name),
      call: (id, { named, samples }) => {
        const others = namings.filter(({ name, in: place }) => place === 'path' || named.includes(name));
        const own = others.map(({ name }) => [name, idFrom(b, a, name)] as const);
        return callOf(route, new Map([...own, [naming.name, id]]), samples);
      },
    }));
  });
}

const isRowName = ({ type, format }: Shape) => [type].flat().includes('integer') || format === 'uuid';

/** `event` of `/v1/events`. */
const lastNoun = (path: string) => (path.split('/').at(-1) ?? '').replace(/s$/, '');

function callOf(
  { method, path, parameters, body }: Route,
  ids: ReadonlyMap<string, Id | null>,
  samples: boolean,
): Call {
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids.get(name) ?? 1));
  const query = new URLSearchParams(
    parameters
      .filter((each) => each.in === 'query' && (each.required === true || ids.get(each.name)))
      .map(({ name, schema }): [string, string] => [name, String(ids.get(name) ?? sampleOfShape(name, schema))]),
  ).toString();
  const full = samples
    ? { ...body, required: Object.keys(body?.properties ?? {}).filter((name) => !isIdName(name)) }
    : body;
  const given = [...ids].filter(([name, id]) => id !== null && body?.properties?.[name]);
  return {
    method,
    path: query ? `${named}?${query}` : named,
    ...(body && { body: { ...(sampleOfShape('', full ?? body) as object), ...Object.fromEntries(given) } }),
  };
}
