import {
  getNamedType,
  isLeafType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import type { TestAnswer, TestApp } from './app.ts';
import { exceptions, renamedAnswers, renamedInput, twins, type Twin } from './parity-twins.ts';
import {
  argumentsOf,
  fieldAt,
  leavesOf,
  literal,
  printed,
  routesOf,
  twinOf,
  type Found,
  type Route,
  type Shape,
} from './parity.ts';

interface Argument {
  readonly path: string;
  readonly type: GraphQLInputType;
}

export type ParityMap = ReturnType<typeof parityMap>;

/** The routes of REST that have a twin, beside it, part by part. The others are compared by their operation: parity-operations.ts. */
export function parityMap(document: unknown, schema: GraphQLSchema) {
  const all = routesOf(document);
  const routes = all.filter(({ operationId }) => operationId in twins);
  const rootTypes = [schema.getQueryType()!, schema.getMutationType()!];
  const isExcepted = (path: string) => Object.values(exceptions).some((names) => names.includes(`answer ${path}`));
  const twinOfRoute = ({ operationId }: Route): Twin => twins[operationId] ?? { field: operationId };

  /** The fields on the way to a twin, the root field first. */
  function fieldsTo(route: Route): GraphQLField<unknown, unknown>[] {
    const fields: GraphQLField<unknown, unknown>[] = [];
    for (const name of twinOfRoute(route).field.split('.')) {
      const last = fields.at(-1);
      const parents = last ? [getNamedType(last.type)] : rootTypes;
      const [field] = parents.flatMap((type) => (isObjectType(type) && type.getFields()[name]) || []);
      if (!field) throw new Error(`GraphQL has no ${twinOfRoute(route).field}`);
      fields.push(field);
    }
    return fields;
  }

  const argumentsTo = (route: Route): Argument[] => argumentsOf(fieldsTo(route).flatMap(({ args }) => [...args]));

  /** The argument, or the field of an input, for a name of REST. */
  function argumentFor(route: Route, name: string): Argument | undefined {
    const own = twinOf(name, twinOfRoute(route).takes ?? {}, renamedInput).join('.');
    return argumentsTo(route).find(({ path }) => path === own || path === `input.${own}`);
  }

  const pathFor = (route: Route, path: string) => twinOf(path, twinOfRoute(route).gives ?? {}, renamedAnswers);

  /** Every value of REST's answer with its twin, null where there is none. */
  const givenBy = (route: Route): { name: string; path: string; shape: Shape; twin: Found | null }[] =>
    leavesOf(route.gives)
      .filter(({ path }) => !isExcepted(path))
      .map(({ path, shape }) => ({
        name: `${route.method} ${route.path} ${path}`,
        path,
        shape,
        twin: fieldAt(fieldsTo(route).at(-1)!.type, pathFor(route, path)),
      }));

  /** The request to GraphQL that is the twin of one to REST; the answer's root is called `it`. */
  function operationFor(route: Route, sent: Readonly<Record<string, unknown>>): string {
    const literals = Object.entries(sent).map(([name, value]) => {
      const argument = argumentFor(route, name);
      if (!argument) throw new Error(`${route.path} takes no ${name}`);
      return { path: argument.path, text: literal(argument.type, value) };
    });
    const fields = fieldsTo(route);
    const paths = givenBy(route).map(({ path }) => pathFor(route, path));
    const selection = isLeafType(getNamedType(fields.at(-1)!.type))
      ? ''
      : select(paths.length ? paths : [['__typename']]);
    const text = fields.reduceRight((inner, { name, args }) => {
      const given = args.flatMap(({ name: arg, type }) => {
        const own = written(arg, literals);
        return own.length === 0 && type.toString().endsWith('Input!') ? [`${arg}: {}`] : own;
      });
      const own = `${name}${given.length ? `(${given.join(', ')})` : ''}`;
      return inner ? `${own} ${inner.startsWith('{') ? inner : `{ ${inner} }`}` : own;
    }, selection);
    const kind = fields[0] && fields[0].name in rootTypes[1]!.getFields() ? 'mutation' : 'query';
    return `${kind} { it: ${text} }`;
  }

  /** GraphQL's answer, as REST would have printed it. */
  function printedBy(route: Route, it: unknown): unknown {
    const below = twinOfRoute(route).field.split('.').slice(1);
    const print = (shape: Shape, value: unknown, path: string): unknown => {
      if (shape.items) return (value as unknown[]).map((each) => print(shape.items!, each, path));
      if (!shape.properties) return printed(shape, value);
      const entries = Object.entries(shape.properties).flatMap(([name, inner]) => {
        const own = path ? `${path}.${name}` : name;
        if (isExcepted(own)) return [];
        const names = pathFor(route, own).slice(path ? pathFor(route, path).length : 0);
        return [[name, print(inner, walk(value, names), own)]];
      });
      return Object.fromEntries(entries) as unknown;
    };
    return print(route.gives, walk(it, below), '');
  }

  return { all, routes, rootTypes, fieldsTo, argumentsTo, argumentFor, givenBy, operationFor, printedBy };
}

const walk = (value: unknown, names: readonly string[]): unknown =>
  names.reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name] ?? null, value);

/** The selection that holds all of the paths. */
function select(paths: readonly (readonly string[])[]): string {
  const heads = new Map<string, (readonly string[])[]>();
  for (const [head, ...rest] of paths)
    if (head !== undefined) heads.set(head, [...(heads.get(head) ?? []), ...(rest.length ? [rest] : [])]);
  const texts = [...heads].map(([head, rests]) => (rests.length ? `${head} ${select(rests)}` : head));
  return `{ ${texts.join(' ')} }`;
}

/** An argument with all that was given for it, at whatever depth. */
function written(name: string, literals: readonly { path: string; text: string }[]): string[] {
  const own = literals.find(({ path }) => path === name);
  if (own) return [`${name}: ${own.text}`];
  const below = literals
    .filter(({ path }) => path.startsWith(`${name}.`))
    .map(({ path, text }) => ({ path: path.slice(name.length + 1), text }));
  if (below.length === 0) return [];
  const heads = [...new Set(below.map(({ path }) => path.split('.')[0]!))];
  return [`${name}: { ${heads.flatMap((head) => written(head, below)).join(', ')} }`];
}

/** The request to REST that sends each value where the route takes it. */
export function callRoute(
  service: TestApp,
  { method, path, takes }: Route,
  sent: Readonly<Record<string, unknown>>,
  as: string | undefined,
): Promise<TestAnswer> {
  const part = (place: 'path' | 'query' | 'header' | 'body') =>
    Object.entries(sent).filter(([name]) => takes[name]?.in === place) as [string, string][];
  const url = part('path').reduce((text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)), path);
  const query = new URLSearchParams(part('query')).toString();
  const body = Object.fromEntries(part('body'));
  const takesBody = Object.values(takes).some((taken) => taken.in === 'body');
  return service.call(method, query ? `${url}?${query}` : url, {
    as,
    headers: Object.fromEntries(part('header')),
    ...(takesBody && { body }),
  });
}
