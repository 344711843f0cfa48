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
import type { Shape } from './rest.ts';

/* Values for what an instance asks for beside the id, so that a call is refused for its id and not for them. */

const dayMs = 86_400_000;
/** The same in every request of a run. */
const nowMs = Date.now();
const day = (days: number) => new Date(nowMs + days * dayMs).toISOString();

/** An argument that must be given, as its type, name and description ask for it. */
export function sampleOf({ name, type, description }: Pick<GraphQLArgument, 'name' | 'type' | 'description'>): unknown {
  const inner = getNullableType(type);
  if (isListType(inner)) return [sampleOf({ name, type: inner.ofType as GraphQLInputType, description })];
  if (isEnumType(inner)) return inner.getValues()[0]?.name;
  if (isInputObjectType(inner))
    return Object.fromEntries(
      Object.values(inner.getFields())
        .filter(mustBeGiven)
        .map((field) => [field.name, sampleOf(field)]),
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

/** The same for a part of a REST body or query. */
export function sampleOfShape(name: string, shape: Shape): unknown {
  const { type, enum: values, properties = {}, required = [], items, minimum } = shape;
  const kind = [type].flat().find((each) => each !== 'null');
  if (values) return values[0];
  if (kind === 'object')
    return Object.fromEntries(required.map((field) => [field, sampleOfShape(field, properties[field] ?? {})]));
  if (kind === 'array') return items ? [sampleOfShape(name, items)] : [];
  if (kind === 'integer' || kind === 'number') return minimum ?? 1;
  if (kind === 'boolean') return false;
  return shape.format === 'uuid' ? randomUUID() : textFor(name, `${shape.format} ${shape.description}`);
}

const isEnd = (name: string) => /^(to|end)/i.test(name);

function textFor(name: string, description: string): string {
  if (/YYYY-MM-DD HH:MM:SS|wall-?time/i.test(description))
    return isEnd(name) ? '2030-01-01 12:00:00' : '2030-01-01 10:00:00';
  if (/zone/i.test(name)) return 'Europe/London';
  if (/e-?mail/i.test(name)) return `isolation-${randomUUID()}@example.com`;
  if (/password|current|next/i.test(name)) return `isolation ${randomUUID()}`;
  return 'isolation';
}
