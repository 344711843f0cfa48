import { namesRow, type RowId } from './rows.ts';

/** JSON Schema, as much of it as the recorder reads. */
export interface RequestShape {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly RequestShape[];
  readonly format?: string;
  readonly minimum?: number;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly items?: RequestShape;
  readonly properties?: Readonly<Record<string, RequestShape>>;
  readonly required?: readonly string[];
  /** Marks an optional property that an example must have. */
  readonly 'x-in-example'?: boolean;
}

/** How a value is chosen: by the rows that there are, and by how often another one was refused. */
export interface Choice {
  /** The best first. */
  readonly rows: (name: string) => readonly RowId[];
  /** Number of earlier attempts. Each takes other rows and other names. */
  readonly attempt: number;
}

const textByName: Readonly<Record<string, string>> = {
  // Of a link in a mail to the staff member 12, as the signing secrets of the examples make it.
  token: '1.12.reminder.a009a3abfcdd06f5c01930c7bb8299c7e6ac33081070bfb7cadd87690e60d048',
  name: 'Harvest crew',
  title: 'Stage manager',
  reason: 'Agreed with both clients',
  password: 'correct horse battery staple',
  notes_for_staff: 'Meet at the loading dock.',
  dress_code: 'Black tie',
  value: 'Lot C, level 2',
  text: 'Spring',
  'external id': 'A-2027-10',
};

const textByFormat: Readonly<Record<string, string>> = {
  'iana-zone': 'America/Chicago',
  money: '25.50',
  'email-ascii': 'robin.fields@aurora.example',
  'degrees-90': '43.0731',
  'degrees-180': '-89.4012',
  'credential-scopes': 'read',
};

/** Times of day and dates by whether they begin or end something. */
const spans = {
  'wall-time': ['2027-10-02 18:00:00', '2027-10-03 00:30:00'],
  'local-date': ['2026-11-23', '2026-11-29'],
  'date-time': ['2026-11-23T00:00:00Z', '2026-11-30T00:00:00Z'],
} as const;

const isEnd = (name: string) => /^(to|end|until|before)/.test(name);

/** Makes a value for a field or parameter; undefined where no row can be named. */
export function valueFor(name: string, shape: RequestShape, choice: Choice): unknown {
  const { type, enum: values, anyOf, format = '', items, minimum, default: initial } = shape;
  const kind = [type].flat().find((each) => each !== 'null');
  if (kind === 'array') {
    const item = items && valueFor(name.replace(/s$/, ''), items, choice);
    return item === undefined ? undefined : [item];
  }
  if (kind === 'object') return objectFor(shape, choice);
  if (namesRow(name)) {
    // `other_shift_uuid` names another shift than the address does.
    const rows = choice.rows(name.replace(/^other_/, ''));
    return rows[(choice.attempt + (name.startsWith('other_') ? 1 : 0)) % Math.max(1, rows.length)];
  }
  if (format in spans) return spans[format as keyof typeof spans][isEnd(name) ? 1 : 0];
  if (shape.examples?.length) return another(shape.examples[0], choice.attempt);
  if (anyOf?.[0]) return valueFor(name, anyOf[0], choice);
  if (values) return values[0];
  if (kind === 'boolean') return false;
  if (kind === 'integer' || kind === 'number') return initial ?? minimum ?? 1;
  return textByFormat[format] ?? another(textByName[name] ?? 'Example', choice.attempt);
}

/** A name that is taken gets a number. */
const another = (value: unknown, attempt: number): unknown =>
  typeof value === 'string' && attempt > 0 && /^[A-Za-z ]+$/.test(value) ? `${value} ${attempt + 1}` : value;

/** Makes a body with what must be sent and what has an example of its own; at least one field, if there is any. */
export function objectFor(shape: RequestShape, choice: Choice): Record<string, unknown> {
  const { properties = {}, required = [] } = shape;
  const entries = Object.entries(properties);
  const wanted = entries.filter(
    ([name, field]) => required.includes(name) || field['x-in-example'] === true || field.examples !== undefined,
  );
  const plain = entries.filter(([name, { type }]) => [type].flat().includes('string') && !namesRow(name));
  const chosen = wanted.length > 0 ? wanted : plain.slice(0, 1);
  return Object.fromEntries(
    chosen.flatMap(([name, field]) => {
      const value = valueFor(name, field, choice);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
