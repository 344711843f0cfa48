import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import type { CallScope } from '../access/scope.ts';
import { Failure, type FieldErrors } from '../errors.ts';
import { OfVersion } from './versions.ts';

/*
 * How a PUT takes back what a read of the same address gave: a client reads a row, changes one field and sends all of it. Fields
 * that the read shows and the body does not take are read-only. They are accepted with the value that they have.
 */

/** What a route adds to what the read of its address says. */
export interface WriteBack<P> {
  /** Further shapes in which REST shows the row, such as items of lists. */
  readonly shapes?: readonly TObject[];
  /** Name under which a read shows the fields of the row. They count as if they stood in the body itself. */
  readonly wrapper?: string;
  /** Fields of the body that change what a read-only field shows. */
  readonly insteadOf?: Readonly<Record<string, string>>;
  /** Reads the row in its further shapes, as far as these fields need. */
  readonly read?: (scope: CallScope, params: P, names: ReadonlySet<string>) => Promise<readonly object[]>;
  /** Makes a body of what was sent, where a read shows another kind of thing. */
  readonly prepare?: (sent: unknown) => unknown;
}

/** A body without its read-only fields, except for those with another value: the operation does not know and refuses them. */
export interface WrittenBody {
  readonly body: unknown;
  /** Messages about the fields that were left in it. */
  readonly faults: FieldErrors;
}

type Fields = Readonly<Record<string, unknown>>;

/** The read of one row, as its route is registered. */
interface ReadOfRow {
  readonly response: TSchema;
  readonly handle: (scope: CallScope, input: never) => Promise<unknown>;
  readonly full?: { readonly response: TSchema; readonly handle: (scope: CallScope, input: never) => Promise<object> };
}

/** The reads of each app, by the address that a PUT may have as well. They are registered before it. */
const reads = new WeakMap<FastifyInstance, Map<string, ReadOfRow>>();

export function noteRead(http: FastifyInstance, url: string, read: ReadOfRow): void {
  reads.set(http, (reads.get(http) ?? new Map<string, ReadOfRow>()).set(url, read));
}

/** Figures that are made of other rows. Any value of them is taken, as of what only the answer to a write tells. */
const figures = ['coverage', 'labour_cost'];

const propertiesOf = (schema: unknown): Readonly<Record<string, TSchema>> =>
  (schema as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {};

const dataIn = (response: TSchema) => propertiesOf(propertiesOf(response)['data']);

/** Names of the fields of a row that REST shows and its body does not take. */
interface ReadOnly {
  readonly names: readonly string[];
  /** Those of them whose value is not looked at. */
  readonly figures: readonly string[];
}

/** Lists the read-only fields of the row that a PUT changes and answers with; undefined if no read shows the row. */
export function listReadOnly<P>(
  http: FastifyInstance,
  url: string,
  { body, response }: { readonly body: TObject; readonly response: TSchema },
  { shapes = [], wrapper = '' }: WriteBack<P> = {},
): ReadOnly | undefined {
  const read = reads.get(http)?.get(url);
  if (!read) return undefined;
  const shown = [read, ...(read.full ? [read.full] : [])].map((each) => dataIn(each.response));
  const names = [...shown, propertiesOf(shown[0]?.[wrapper]), ...shapes.map(propertiesOf)].flatMap(Object.keys);
  const told = Object.keys(dataIn(response)).filter((name) => !names.includes(name));
  return {
    names: [...new Set([...names, ...told])].filter(
      (name) => !Object.hasOwn(body.properties, name) && name !== wrapper,
    ),
    figures: [...figures, ...told],
  };
}

/** Makes the function that takes the read-only fields out of a body. */
export function createWriteBack<P>(
  http: FastifyInstance,
  url: string,
  { names: readOnlyNames, figures: unjudged }: ReadOnly,
  { wrapper, insteadOf, read, prepare = (sent) => sent }: WriteBack<P> = {},
) {
  const readOnly = new Set(readOnlyNames);
  const row = reads.get(http)?.get(url);
  const showsReason = row !== undefined && Object.hasOwn(dataIn(row.response), 'override_reason');
  const dataOf = (answer: unknown) => ((answer instanceof OfVersion ? answer.body : answer) as { data: Fields }).data;
  const readers: NonNullable<WriteBack<P>['read']>[] = [
    async (scope, params) => {
      const data = dataOf(await row?.handle(scope, { params, query: {} } as never));
      const wrapped = wrapper === undefined ? undefined : data[wrapper];
      return isFields(wrapped) ? [data, wrapped] : [data];
    },
    ...(read ? [read] : []),
    ...(row?.full
      ? [async (scope: CallScope, params: P) => [dataOf(await row.full?.handle(scope, { params, query: {} } as never))]]
      : []),
  ];
  return async (scope: CallScope, params: P, received: unknown): Promise<WrittenBody> => {
    const sent = prepare(received);
    if (!isFields(sent)) return { body: sent, faults: {} };
    const { fields, faults } = unwrap(showsReason ? withoutEmptyReason(sent) : sent, wrapper);
    const names = new Set(Object.keys(fields).filter((name) => readOnly.has(name)));
    const differing = new Set([...names].filter((name) => !unjudged.includes(name)));
    for (const readShapes of readers) {
      if (differing.size === 0) break;
      const stored = await readStored(() => readShapes(scope, params, differing));
      // The operation then says why the row cannot be read.
      if (!stored) differing.clear();
      for (const name of differing)
        if (stored?.some((shape) => Object.hasOwn(shape, name) && isDeepStrictEqual(shape[name], fields[name])))
          differing.delete(name);
    }
    for (const name of differing) faults[name] = [explain(insteadOf?.[name])];
    const kept = Object.entries(fields).filter(([name]) => !names.has(name) || Object.hasOwn(faults, name));
    return { body: Object.fromEntries(kept), faults };
  };
}

/** A row that broke no rule shows an empty reason of an override, which its body would refuse. */
function withoutEmptyReason({ override_reason: reason, ...rest }: Fields): Fields {
  return reason === undefined || reason === '' ? rest : { ...rest, override_reason: reason };
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
