import { html, type Html } from '../html.ts';
import { inlineProse } from '../prose.ts';
import { nameOfRef, type DocumentedShape } from './document.ts';

export const shapeAnchor = (name: string): string => `shape-${name}`;

/** A type in words, with links to the shapes it names: "string (uuid) or null". */
export function typeOf(shape: DocumentedShape): Html {
  const { $ref, anyOf, oneOf, allOf, enum: values } = shape;
  if ($ref !== undefined) return html`<a href="#${shapeAnchor(nameOfRef($ref))}">${nameOfRef($ref)}</a>`;
  if ('const' in shape) return literal(shape.const);
  if (values) return joinBy(', ', values.map(literal));
  const choices = anyOf ?? oneOf;
  if (choices) return joinBy(' or ', choices.map(typeOf));
  if (allOf) return joinBy(' and ', allOf.map(typeOf));
  const types = [shape.type ?? (shape.properties ? 'object' : 'any')].flat();
  return joinBy(
    ' or ',
    types.map((type) =>
      type === 'array' && shape.items ? html`list of ${typeOf(shape.items)}` : plainType(type, shape),
    ),
  );
}

const plainType = (type: string, { format }: DocumentedShape): Html =>
  html`${type}${format !== undefined && type !== 'null' ? ` (${format})` : ''}`;

const literal = (value: unknown): Html => html`<code>${JSON.stringify(value)}</code>`;

const joinBy = (mark: string, parts: readonly Html[]): Html =>
  html`${parts.map((part, at) => html`${at === 0 ? '' : mark}${part}`)}`;

/** The limits on the values of a shape, in words; empty if there are none. */
function limitsOf(shape: DocumentedShape): string {
  const range = (min: number | undefined, max: number | undefined, unit: string): string[] => {
    if (min === undefined && max === undefined) return [];
    if (max === undefined) return [`at least ${min}${unit}`];
    return [min === undefined ? `at most ${max}${unit}` : `${min} to ${max}${unit}`];
  };
  return [
    ...range(shape.minLength, shape.maxLength, ' characters'),
    ...range(shape.minimum, shape.maximum, ''),
    ...range(shape.minItems, shape.maxItems, ' items'),
    ...(shape.default === undefined ? [] : [`default ${JSON.stringify(shape.default)}`]),
  ].join(', ');
}

interface Field {
  readonly name: string;
  readonly shape: DocumentedShape;
  readonly isRequired: boolean;
  readonly description?: string | undefined;
}

export const fieldsOf = ({ properties = {}, required = [] }: DocumentedShape): Field[] =>
  Object.entries(properties).map(([name, shape]) => ({ name, shape, isRequired: required.includes(name) }));

/** One field or parameter per line, and below it those of an object that has no name of its own. */
export const fieldList = (fields: readonly Field[], mark: (field: Field) => Html = () => html``): Html =>
  html`<ul class="ref-fields">
    ${fields.map((field) => {
      const { name, shape, isRequired, description = shape.description } = field;
      const limit = limitsOf(shape);
      return html`<li>
        <code class="ref-name">${name}</code> <span class="ref-type">${typeOf(shape)}${limit && `, ${limit}`}</span>
        ${isRequired ? html`<strong class="ref-required">required</strong>` : html``} ${mark(field)}
        ${description === undefined ? html`` : html`<p>${inlineProse(description)}</p>`} ${fieldsInside(shape)}
      </li> `;
    })}
  </ul>`;

function fieldsInside(shape: DocumentedShape): Html {
  const inner = shape.items ?? shape;
  const fields = [inner, ...(inner.anyOf ?? []), ...(inner.allOf ?? [])].flatMap(fieldsOf);
  return fields.length > 0 ? fieldList(fields) : html``;
}
