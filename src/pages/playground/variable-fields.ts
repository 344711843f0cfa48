import {
  isEnumType,
  isListType,
  isNonNullType,
  isScalarType,
  typeFromAST,
  valueFromASTUntyped,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import { findOperation } from './operations.ts';
import type { GraphQLRequest, Variables } from '../application/service.ts';

/* The fields of the form for the variables of an operation. */

export type FieldKind = 'text' | 'number' | 'boolean' | 'date' | 'moment' | 'choice' | 'json';

export interface VariableField {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly kind: FieldKind;
  /** Values of an enum. */
  readonly choices: readonly string[];
  /** Shown in an empty field. */
  readonly defaultText: string;
}

const kindsByScalar: Readonly<Record<string, FieldKind>> = {
  Int: 'number',
  Float: 'number',
  Boolean: 'boolean',
  DateTimeISO: 'moment',
  String: 'text',
  ID: 'text',
  JSON: 'json',
  JSONObject: 'json',
};

export function listVariableFields(request: GraphQLRequest, schema: GraphQLSchema | null): VariableField[] {
  const definitions = findOperation(request)?.variableDefinitions ?? [];
  return definitions.flatMap(({ variable, type, defaultValue }) => {
    const inputType = schema && (typeFromAST(schema, type as never) as GraphQLInputType | undefined);
    if (!inputType) return [];
    const bare = isNonNullType(inputType) ? inputType.ofType : inputType;
    return {
      name: variable.name.value,
      type: String(inputType),
      isRequired: isNonNullType(inputType) && !defaultValue,
      kind: findKind(bare as GraphQLInputType),
      choices: isEnumType(bare) ? bare.getValues().map(({ name }) => name) : [],
      defaultText: defaultValue ? JSON.stringify(valueFromASTUntyped(defaultValue)) : '',
    };
  });
}

function findKind(type: GraphQLInputType): FieldKind {
  if (isEnumType(type)) return 'choice';
  if (isListType(type) || !isScalarType(type)) return 'json';
  return kindsByScalar[type.name] ?? (/date/i.test(type.name) ? 'date' : 'text');
}

/** The text of a value in its field. A moment is shown in UTC, as the service takes and gives it. */
export function toFieldText(kind: FieldKind, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (kind === 'json') return JSON.stringify(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (kind === 'date') return text.slice(0, 10);
  if (kind !== 'moment') return text;
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString().slice(0, 16);
}

/** The value that a field's text means; undefined for an empty field. Throws if the text is not valid JSON. */
export function fromFieldText(kind: FieldKind, text: string): unknown {
  if (text === '') return undefined;
  if (kind === 'number') return Number(text);
  if (kind === 'boolean') return text === 'true';
  if (kind === 'json') return JSON.parse(text) as unknown;
  return kind === 'moment' ? `${text.slice(0, 16)}:00.000Z` : text;
}

/** Changes one variable and keeps the others, in their order. */
export function changeVariable(variables: Variables, name: string, value: unknown): Variables {
  if (value !== undefined) return { ...variables, [name]: value };
  return Object.fromEntries(Object.entries(variables).filter(([other]) => other !== name));
}
