import { isDeepStrictEqual } from 'node:util';
import type { TObject } from 'typebox';
import type { CallScope } from '../access/scope.ts';
import { Failure, type FieldErrors } from '../errors.ts';

/**
 * Says how a route takes back what REST showed: a client reads a row, changes one field and sends all of it. Fields of the
 * shapes that the body does not take are read-only. They are accepted with the value that they have.
 */
export interface WriteBack<P> {
  /** The shapes in which REST shows the row. */
  readonly shapes: readonly TObject[];
  /** Name under which a read shows the fields of the row. They count as if they stood in the body itself. */
  readonly wrapper?: string;
  /** Fields of the body that change what a read-only field shows. */
  readonly insteadOf?: Readonly<Record<string, string>>;
  /** Reads the row in all of its shapes, as far as these fields need. */
  readonly read: (scope: CallScope, params: P, names: ReadonlySet<string>) => Promise<readonly object[]>;
}

/** A body without its read-only fields, except for those with another value: the operation does not know and refuses them. */
export interface WrittenBody {
  readonly body: unknown;
  /** Messages about the fields that were left in it. */
  readonly faults: FieldErrors;
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the names of the fields that REST shows and the body does not take. */
export function listReadOnly(body: TObject, { shapes }: Pick<WriteBack<never>, 'shapes'>): string[] {
  const shown = shapes.flatMap(({ properties }) => Object.keys(properties));
  return [...new Set(shown)].filter((name) => !Object.hasOwn(body.properties, name));
}

/** Makes the function that takes the read-only fields out of a body. */
export function createWriteBack<P>(body: TObject, writeBack: WriteBack<P>) {
  const readOnly = new Set(listReadOnly(body, writeBack));
  return async (scope: CallScope, params: P, sent: unknown): Promise<WrittenBody> => {
    if (!isFields(sent)) return { body: sent, faults: {} };
    const { fields, faults } = unwrap(sent, writeBack.wrapper);
    const names = new Set(Object.keys(fields).filter((name) => readOnly.has(name)));
    if (names.size === 0) return { body: fields, faults };
    const stored = await readStored(() => writeBack.read(scope, params, names));
    for (const name of names)
      if (stored && !stored.some((shape) => Object.hasOwn(shape, name) && isDeepStrictEqual(shape[name], fields[name])))
        faults[name] = [explain(writeBack.insteadOf?.[name])];
    const kept = Object.entries(fields).filter(([name]) => !names.has(name) || Object.hasOwn(faults, name));
    return { body: Object.fromEntries(kept), faults };
  };
}

const explain = (instead: string | undefined) =>
  instead === undefined
    ? 'is read-only: leave it out, or send the value that is stored'
    : `is read-only: send ${instead} to change it, and leave this out or send the value that is stored`;

/** Puts the messages about read-only fields in the place of those about unknown fields. */
export function nameReadOnly(errors: FieldErrors, faults: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([name, texts]) => [name, (Object.hasOwn(faults, name) && faults[name]) || texts]),
  );
}

function unwrap(sent: Fields, wrapper: string | undefined): { fields: Fields; faults: FieldErrors } {
  // The object has no prototype, because a field may be called `constructor`.
  const faults = Object.create(null) as FieldErrors;
  const wrapped = wrapper === undefined ? undefined : sent[wrapper];
  if (wrapper === undefined || !isFields(wrapped)) return { fields: sent, faults };
  const { [wrapper]: _wrapped, ...beside } = sent;
  const twice = Object.keys(wrapped).find(
    (name) => Object.hasOwn(beside, name) && !isDeepStrictEqual(beside[name], wrapped[name]),
  );
  if (twice === undefined) return { fields: { ...wrapped, ...beside }, faults };
  faults[wrapper] = [`has another value of ${twice} than the body`];
  return { fields: sent, faults };
}

/** Null where the row cannot be read: the operation then says why. */
async function readStored(read: () => Promise<readonly object[]>): Promise<readonly Fields[] | null> {
  try {
    return JSON.parse(JSON.stringify(await read())) as Fields[];
  } catch (error) {
    if (error instanceof Failure && (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN')) return null;
    throw error;
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
