import { capitalized } from '../fields/codes.ts';
import { snakeCase } from './dialect.ts';

/*
 * Descriptions are written once, as GraphQL spells what they name, in backticks. In REST's document, names of fields are in snake_case,
 * values as REST shows them, and a text that is not set is `""`, and not null.
 */

type Part = Readonly<Record<string, unknown>>;

/** Spells the descriptions of an OpenAPI document as REST does. */
export function spellTexts<D extends object>(document: D): D {
  const parts = partsOf(document);
  const names = new Set(parts.flatMap(namesIn));
  const values = new Map(parts.flatMap(valuesIn).map((value) => [capitalized(value), value]));
  const spellName = (name: string) => (names.has(snakeCase(name)) ? snakeCase(name) : name);
  const spell = (text: string, isText: boolean): string => {
    const spelled = text
      .replaceAll(', as in REST', '')
      .replaceAll(/`(\w+)`/g, (_, name: string) => `\`${values.get(name) ?? spellName(name)}\``);
    return isText ? spelled.replaceAll(/\bnull\b/g, '`""`') : spelled;
  };
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isPart(value)) return value;
    const { type } = (value['schema'] ?? value) as Part;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        typeof inner === 'string' && (key === 'description' || key === 'summary')
          ? spell(inner, type === 'string')
          : walk(inner),
      ]),
    );
  };
  return walk(document) as D;
}

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null;

const partsOf = (value: unknown): Part[] =>
  isPart(value) ? [value, ...Object.values(value).flatMap((inner) => partsOf(inner))] : [];

/** Names of fields, or of a parameter. */
const namesIn = ({ properties, in: place, name }: Part): string[] => [
  ...(isPart(properties) ? Object.keys(properties) : []),
  ...(typeof place === 'string' && typeof name === 'string' ? [name] : []),
];

const valuesIn = ({ enum: values }: Part): string[] =>
  Array.isArray(values) ? values.filter((value): value is string => typeof value === 'string') : [];
