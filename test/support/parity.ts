import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';

/* How the two dialects spell one thing, derived from the OpenAPI document and the SDL. */

/** JSON Schema, as much of it as the document uses. */
export interface Shape {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Record<string, Shape>;
  readonly required?: readonly string[];
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly operationId: string;
  readonly isExtension: boolean;
  /** Inputs by name, in the path, the query, a header or the body. */
  readonly takes: Readonly<
    Record<string, { readonly in: 'path' | 'query' | 'header' | 'body'; shape: Shape; required: boolean }>
  >;
  readonly gives: Shape;
}

interface OpenApiOperation {
  operationId: string;
  'x-callboard-extension'?: true;
  parameters?: { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Shape }[];
  requestBody?: { content: { 'application/json': { schema: Shape } } };
  responses: Record<string, { content: Record<'application/json' | 'text/event-stream', { schema: Shape }> }>;
}

/** Headers of HTTP that both dialects take as they are. */
const ofBoth = new Set(['If-None-Match', 'Last-Event-ID']);

const shapeIn = (content: OpenApiOperation['responses'][string]['content']): Shape =>
  ('application/json' in content ? content['application/json'] : content['text/event-stream']).schema;

export function routesOf(document: unknown): Route[] {
  const { paths } = writtenOut(document) as { paths: Record<string, Record<string, OpenApiOperation>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId, parameters = [], requestBody, responses } = operation;
      const { properties = {}, required = [] } = requestBody?.content['application/json'].schema ?? {};
      const fromUrl = parameters
        .filter(({ name }) => !ofBoth.has(name))
        .map((each) => [each.name, { in: each.in, shape: each.schema, required: each.required === true }]);
      const fromBody = Object.entries(properties).map(([name, shape]) => [
        name,
        { in: 'body', shape, required: required.includes(name) },
      ]);
      return {
        method: method.toUpperCase() as Route['method'],
        path,
        operationId,
        isExtension: operation['x-callboard-extension'] === true,
        takes: Object.fromEntries([...fromUrl, ...fromBody]) as Route['takes'],
        gives: shapeIn((responses['200'] ?? responses['201'])!.content),
      };
    }),
  );
}

/** The document with what its components stand for in the place of each reference to one. */
export function writtenOut(document: unknown): unknown {
  const { components } = document as { components: { schemas: Record<string, unknown> } };
  const write = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(write);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as { $ref?: string };
    const named = $ref === undefined ? {} : (write(components.schemas[$ref.split('/').at(-1)!]) as object);
    return { ...named, ...Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, write(inner)])) };
  };
  return write(document);
}

/** GraphQL's name of a value: `events:write` is `EVENTS_WRITE`. */
const enumName = (value: string): string => value.toUpperCase().replaceAll(':', '_');

export const camelCase = (name: string): string =>
  name.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());

/** Renames by the end of a dotted path: the longest that fits counts. */
export type Renames = Readonly<Record<string, string>>;

/** Returns the GraphQL path of a REST path; '' for a level that does not exist. */
export function twinOf(path: string, ...renames: Renames[]): string[] {
  const parts = path.split('.');
  return parts.flatMap((part, index) => {
    const upToHere = parts.slice(0, index + 1).join('.');
    const fits = renames
      .flatMap((each) => Object.entries(each))
      .filter(([end]) => upToHere === end || upToHere.endsWith(`.${end}`))
      .sort(([a], [b]) => b.length - a.length);
    return (fits[0]?.[1] ?? camelCase(part)).split('.').filter((name) => name !== '');
  });
}

/** Every value that an answer holds, by its dotted path; lists add no level. */
export function leavesOf(shape: Shape, path = ''): { path: string; shape: Shape }[] {
  if (shape.items) return leavesOf(shape.items, path);
  if (!shape.properties) return [{ path, shape }];
  return Object.entries(shape.properties).flatMap(([name, inner]) => leavesOf(inner, path ? `${path}.${name}` : name));
}

export const isNullable = ({ type, anyOf = [] }: Shape): boolean =>
  [type].flat().includes('null') || anyOf.some(isNullable);

const withoutNull = (shape: Shape): Shape => shape.anyOf?.find((each) => !isNullable(each)) ?? shape;

const isFlag = ({ enum: values = [] }: Shape) => ['false,true', 'no,yes'].includes(values.map(String).sort().join());

const isStamp = (shape: Shape): boolean =>
  shape.format === 'date-time' || /\bUTC\b/.test(withoutNull(shape).description ?? shape.description ?? '');

/** Exact decimal text, in answers. */
const isDecimal = ({ pattern }: { readonly pattern?: string | undefined }) => pattern?.includes('\\.\\d{2}') === true;
/** The types of an input of GraphQL that say the same as one of REST: an ID takes the number by which REST names a row. */
export function inputTypesFor(name: string, shape: Shape, schema: GraphQLSchema): string[] {
  return [...typesFor(shape, schema), ...(/(^|[ _])id$/.test(name) ? ['ID'] : [])];
}

/** The types of GraphQL that say the same as a shape of REST. */
export function typesFor(shape: Shape, schema: GraphQLSchema): string[] {
  const { type, enum: values, format, pattern } = withoutNull(shape);
  if (format === 'local-date') return ['LocalDate'];
  if (format === 'money' || isDecimal({ pattern })) return ['Decimal'];
  if (isFlag(shape) || type === 'boolean') return ['Boolean'];
  if (isStamp(shape)) return ['DateTimeISO'];
  const kind = [type].flat().find((each) => each !== 'null');
  if (kind === 'integer') return ['Int'];
  if (kind === 'number') return ['Float', 'Decimal'];
  if (!values) return ['String', 'ID'];
  const wanted = values.filter((value) => value !== null).map((value) => enumName(String(value as string | boolean)));
  return Object.values(schema.getTypeMap())
    .filter((each) => isEnumType(each) && wanted.every((value) => each.getValue(value)))
    .map(({ name }) => name);
}

export interface Found {
  readonly type: GraphQLOutputType | GraphQLInputType;
  /** Whether the field, or one on the way to it, can be null. */
  readonly isNullable: boolean;
  /** Every `Type.field` on the way. */
  readonly through: readonly string[];
}

/** The field that a path leads to from an output type; null where there is none. */
export function fieldAt(type: GraphQLOutputType, path: readonly string[]): Found | null {
  const through: string[] = [];
  let at = type;
  let canBeNull = path.length === 0 && !isNonNullType(type);
  for (const name of path) {
    const parent = getNamedType(at);
    const field = isObjectType(parent) ? parent.getFields()[name] : undefined;
    if (!field) return null;
    through.push(`${parent.name}.${name}`);
    at = field.type;
    canBeNull ||= !isNonNullType(at);
  }
  return { type: at, isNullable: canBeNull, through };
}

/** Arguments and the fields of their inputs, by dotted path. */
export function argumentsOf(
  args: readonly { name: string; type: GraphQLInputType }[],
  path = '',
): { path: string; type: GraphQLInputType }[] {
  return args.flatMap(({ name, type }) => {
    const own = path ? `${path}.${name}` : name;
    const inner = getNullableType(type);
    if (!isInputObjectType(inner)) return [{ path: own, type }];
    // Fields that an input requires are not required where the whole input can be left out.
    const fields = Object.values(inner.getFields()).map((field) =>
      isRequired(type) ? field : { name: field.name, type: getNullableType(field.type) },
    );
    return argumentsOf(fields, own);
  });
}

/** A value of REST, as GraphQL writes it in a query. */
export function literal(type: GraphQLInputType, value: unknown): string {
  const inner = getNullableType(type);
  if (value === null) return 'null';
  if (isListType(inner))
    return `[${[value]
      .flat()
      .map((each) => literal(inner.ofType as GraphQLInputType, each))
      .join()}]`;
  if (isEnumType(inner)) return enumName(value as string);
  if (inner.toString() === 'Boolean') return String(value === true || value === 'true');
  return JSON.stringify(value);
}

export const isRequired = (type: GraphQLInputType): boolean => isNonNullType(type);

/** A value of GraphQL, as REST prints it. */
export function printed(shape: Shape, value: unknown): unknown {
  if (value === null) return isNullable(shape) ? null : '';
  const { type, enum: values, format } = withoutNull(shape);
  const text = String(value as string | number | boolean);
  if (isFlag(shape)) return values!.includes('yes') ? (value === true ? 'yes' : 'no') : text;
  if (values) return values.find((each) => enumName(String(each)) === text.toUpperCase());
  if (isStamp(shape) && format !== 'date-time') return text.slice(0, 19).replace('T', ' ');
  if ([type].flat().includes('number') && typeof value === 'string') return Number(value);
  return value;
}
