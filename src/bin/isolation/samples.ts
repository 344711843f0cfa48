import { randomUUID } from 'node:crypto';
import {
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLInputField,
  type GraphQLArgument,
  type GraphQLInputType,
} from 'graphql';

/** The part of JSON Schema that this check reads. */
export interface JsonShape {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonShape[];
  readonly format?: string;
  readonly description?: string;
  readonly minimum?: number;
  readonly items?: JsonShape;
  readonly properties?: Readonly<Record<string, JsonShape>>;
  readonly required?: readonly string[];
}

/* Sample values for everything that a call needs besides the id, so that it is refused because of the id only. */

const dayMs = 86_400_000;
/** One moment for the whole run, so that equal requests stay equal. */
const nowMs = Date.now();
const day = (days: number) => new Date(nowMs + days * dayMs).toISOString();

/** Makes a value for a required argument from its type, name and description. */
export function makeSample({
  name,
  type,
  description,
}: Pick<GraphQLArgument, 'name' | 'type' | 'description'>): unknown {
  const inner = getNullableType(type);
  if (isListType(inner)) return [makeSample({ name, type: inner.ofType as GraphQLInputType, description })];
  if (isEnumType(inner)) return inner.getValues()[0]?.name;
  if (isInputObjectType(inner))
    return Object.fromEntries(
      Object.values(inner.getFields())
        .filter(mustBeGiven)
        .map((field) => [field.name, makeSample(field)]),
    );
  switch (inner.name) {
    case 'Int':
    case 'Float':
      return 1;
    case 'Boolean':
      return false;
    case 'ID':
      return randomUUID();
    case 'Decimal':
      return '1.00';
    case 'LocalDate':
      return day(0).slice(0, 10);
    case 'String':
      return textFor(name, description ?? '');
    default:
      return day(isEnd(name) ? 200 : -200);
  }
}

export const mustBeGiven = ({ type, defaultValue }: GraphQLArgument | GraphQLInputField): boolean =>
  isNonNullType(type) && defaultValue === undefined;

/** Makes a value for a part of a REST body or query from its schema. */
export function makeSampleOfShape(name: string, shape: JsonShape): unknown {
  const { type, enum: values, anyOf, properties = {}, required = [], items, minimum } = shape;
  if (anyOf?.[0]) return makeSampleOfShape(name, anyOf[0]);
  const kind = [type].flat().find((each) => each !== 'null');
  if (values) return values[0];
  if (kind === 'object')
    return Object.fromEntries(required.map((field) => [field, makeSampleOfShape(field, properties[field] ?? {})]));
  if (kind === 'array') return items ? [makeSampleOfShape(name, items)] : [];
  if (kind === 'integer' || kind === 'number') return minimum ?? 1;
  if (kind === 'boolean') return false;
  if (shape.format === 'money') return '1.00';
  if (shape.format === 'local-date') return day(0).slice(0, 10);
  if (shape.format === 'date-time') return day(isEnd(name) ? 200 : -200);
  return shape.format === 'uuid' ? randomUUID() : textFor(name, `${shape.format} ${shape.description}`);
}

const isEnd = (name: string) => /^(to|end)/i.test(name);

function textFor(name: string, description: string): string {
  if (/YYYY-MM-DD HH:MM:SS|wall-?time/i.test(description))
    return isEnd(name) ? '2030-01-01 12:00:00' : '2030-01-01 10:00:00';
  if (/YYYY-MM-DD/.test(description)) return day(isEnd(name) ? 7 : -7).slice(0, 10);
  if (/HH:MM/.test(description)) return isEnd(name) ? '12:00' : '10:00';
  if (/zone/i.test(name)) return 'Europe/London';
  if (/e-?mail/i.test(name)) return `isolation-${randomUUID()}@example.com`;
  if (/password|current|next/i.test(name)) return `isolation ${randomUUID()}`;
  return 'isolation';
}
