import { sendAsViewer } from '../../application/session.ts';
import type { ServiceError } from '../../application/service.ts';
import { refreshReads } from '../data.ts';
import type { Clash } from '../staffing/clashes.ts';
import { isChanged, type CallRow } from './call-rows.ts';
import type { Choices } from './documents.ts';
import { findChanges, readCall, type Input, type Span } from './draft.ts';

/* Writes whose outcome needs more than one fault: the change of an event with its clashes, and the rows of call times. */

export interface Refusal {
  readonly code: string;
  readonly message: string;
  /** Messages by field of the input. */
  readonly fields: Readonly<Record<string, string>>;
  readonly clashes: readonly Clash[];
}

const changeDocument = `mutation ChangeEvent($id: ID!, $version: Int, $input: UpdateEventInput!, $dryRun: Boolean) {
  change: updateEvent(id: $id, version: $version, input: $input, dryRun: $dryRun) {
    event { version }
    clashes { kind needed assigned eventTitle minutes text user { name } }
  }
}`;

export interface ChangeOutcome {
  /** The new version of the event; null: it is refused. */
  readonly version: number | null;
  readonly clashes: readonly Clash[];
  readonly refusal: Refusal | null;
}

/** Changes an event, or only says what would become of the change. Throws if no answer came. */
export async function changeEvent(id: string, version: number, input: Input, dryRun = false): Promise<ChangeOutcome> {
  const { result } = await sendAsViewer({ query: changeDocument, variables: { id, version, input, dryRun } });
  const change = result.data?.['change'] as {
    event: { version: number } | null;
    clashes: readonly Clash[];
  } | null;
  const [error] = result.errors ?? [];
  if (!dryRun) await refreshReads();
  return {
    version: error ? null : (change?.event?.version ?? null),
    clashes: change?.clashes ?? [],
    refusal: error ? toRefusal(error) : null,
  };
}

/** By the key of the row; null: it is stored. */
export type SaveResults = ReadonlyMap<string, Refusal | null>;

interface Write {
  readonly row: CallRow;
  readonly name: 'createCallTime' | 'updateCallTime' | 'deleteCallTime';
  readonly variables: Readonly<
    Record<string, { readonly type: string; readonly argument: string; readonly value: unknown }>
  >;
}

/** How many mutations one request may have is up to the service. */
const writesAtOnce = 40;

/** `reason` lets rows be stored that a rule stands against. A lost answer throws; to send the same rows again changes nothing twice. */
export async function saveCalls(
  eventUuid: string,
  rows: readonly CallRow[],
  { event, choices, reason }: { readonly event: Span; readonly choices: Choices; readonly reason: string | null },
): Promise<SaveResults> {
  const writes = rows.filter(isChanged).map((row) => toWrite(eventUuid, row, { event, choices, reason }));
  const results = new Map<string, Refusal | null>();
  try {
    for (let from = 0; from < writes.length; from += writesAtOnce)
      for (const [key, refusal] of await send(writes.slice(from, from + writesAtOnce))) results.set(key, refusal);
  } finally {
    await refreshReads();
  }
  return results;
}

function toWrite(
  eventUuid: string,
  row: CallRow,
  { event, choices, reason }: { readonly event: Span; readonly choices: Choices; readonly reason: string | null },
): Write {
  const id = { type: 'ID!', argument: 'id', value: row.stored?.uuid };
  const version = { type: 'Int', argument: 'version', value: row.stored?.version };
  if (row.stored && row.isRemoved) return { row, name: 'deleteCallTime', variables: { id, version } };
  const { input } = readCall(row.draft, event, choices);
  const allowed = reason !== null && { override: { reason } };
  if (!row.stored) {
    // An override makes another input of it, which needs another key.
    const key = reason === null ? row.key : `${row.key} ${reason.length}`;
    return {
      row,
      name: 'createCallTime',
      variables: {
        event: { type: 'ID!', argument: 'eventId', value: eventUuid },
        key: { type: 'String', argument: 'idempotencyKey', value: key },
        input: { type: 'CreateCallTimeInput!', argument: 'input', value: { ...input, ...allowed } },
      },
    };
  }
  const changes: Input = findChanges(readCall(row.stored.draft, event, choices).input, input);
  const value = { ...changes, ...allowed, ...(reason !== null && { allowOverfill: true }) };
  return {
    row,
    name: 'updateCallTime',
    variables: { id, version, input: { type: 'UpdateCallTimeInput!', argument: 'input', value } },
  };
}

async function send(writes: readonly Write[]): Promise<(readonly [string, Refusal | null])[]> {
  const named = writes.flatMap(({ variables }, index) =>
    Object.entries(variables).map(([name, variable]) => ({ ...variable, index, name: `${name}${index}` })),
  );
  const fields = writes.map(({ name }, index) => {
    const args = named.filter((variable) => variable.index === index);
    const listed = args.map((variable) => `${variable.argument}: $${variable.name}`).join(', ');
    return `call${index}: ${name}(${listed}) { ${name === 'updateCallTime' ? 'callTime { uuid }' : 'uuid'} }`;
  });
  const declared = named.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const query = `mutation SaveCallTimes(${declared}) {\n  ${fields.join('\n  ')}\n}`;
  const { result } = await sendAsViewer({
    query,
    variables: Object.fromEntries(named.map(({ name, value }) => [name, value])),
  });
  const { errors = [] } = result;
  return writes.map(({ row }, index) => {
    const error = errors.find(({ path }) => !path || path[0] === `call${index}`);
    return [row.key, error ? toRefusal(error) : null] as const;
  });
}

function toRefusal({ message, extensions = {} }: ServiceError): Refusal {
  const { code = 'INTERNAL', errors = {} } = extensions;
  const fields = Object.entries(errors).map(([path, texts]) => [path.replace(/^input\./, ''), texts.join(' ')]);
  const { clashes = [] } = extensions as { readonly clashes?: readonly Clash[] };
  return { code, message, fields: Object.fromEntries(fields), clashes };
}
