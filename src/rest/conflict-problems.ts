import Type from 'typebox';
import type { ClashRow, Overfill, Overlap, RuleBreach } from '../db/clashes.ts';
import type { Failure } from '../errors.ts';
import { clashKinds, codesOf } from '../fields/codes.ts';
import { oneOf } from '../validation/schemas.ts';
import { snakeCase } from './dialect.ts';
import { problemProperties } from './envelopes.ts';
import { instantSchema } from './formats.ts';
import { viewOf } from './views.ts';

/* The body of a conflict on the routes beyond the contract: it shows the rows behind the conflict as data. */

const orNull = (description: string, schema = Type.String()) =>
  Type.Union([schema, Type.Null()], { description: `${description}; null for other kinds.` });

const orNullNumber = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `${description}; null for other kinds.` });

type AnyClash = Pick<ClashRow, 'kind'> &
  Partial<
    Omit<Overfill, 'kind'> & Omit<Overlap, 'kind' | 'eventTitle'> & Pick<RuleBreach, 'eventTitle' | 'text' | 'until'>
  >;

export const { schema: ClashView, serialize: serializeClash } = viewOf<AnyClash>('Clash')({
  kind: oneOf(codesOf(clashKinds), 'The rule that the change breaks.'),
  call_time_uuid: orNull('Overfilled, or outside of its event: UUID of the call time'),
  needed: orNullNumber('Overfilled: number of staff that the call time needs'),
  assigned: orNullNumber('Overfilled: active shifts on the call time besides this one'),
  user_id: orNullNumber('Overlaps and rules of who can work: id of the staff member'),
  shift_uuid: orNull('Overlaps, short rest: UUID of the other shift of the same person'),
  event_uuid: orNull('Overlaps, short rest: UUID of the event of the other shift'),
  event_title: orNull('Overlaps, short rest: title of that event'),
  starts_at: orNull(
    'Overlaps, short rest: start of the other shift; outside: of the call time',
    instantSchema('Start'),
  ),
  ends_at: orNull('Overlaps, short rest: end of the other shift; outside: of the call time', instantSchema('End')),
  minutes: orNullNumber(
    'Overlap: minutes that both shifts share; short rest: minutes between them; weekly hours: minutes of the week with this shift',
  ),
  text: orNull('Rules of who can work: what is against the person'),
  until: orNull('Rules of who can work: when the reason ends, if it is known', instantSchema('End of the reason')),
});

const conflictProperties = {
  clashes: Type.Optional(
    Type.Array(ClashView, {
      description: 'The rules that the assignment breaks. A reason for an override allows it anyway.',
    }),
  ),
  in_use: Type.Optional(
    Type.Record(Type.String(), Type.Integer(), {
      description: 'How many rows of each kind point to the row, or how many events have each removed option.',
    }),
  ),
};

/** The error body of a conflict on the routes beyond the contract. */
export const ConflictProblem = Type.Object({ ...problemProperties, ...conflictProperties }, { $id: 'ConflictProblem' });

/** Spells the rows behind a conflict; nothing if the failure is none or has none. */
export function serializeConflict({ code, details = {} }: Failure): Record<string, unknown> | undefined {
  if (code !== 'CONFLICT' && code !== 'CLASH') return undefined;
  const { clashes, inUse, activeShifts } = details as {
    clashes?: readonly ClashRow[];
    inUse?: Readonly<Record<string, number>> | readonly { option: string; events: number }[];
    activeShifts?: number;
  };
  const counts = activeShifts === undefined ? inUse && spellCounts(inUse) : { work_shifts: activeShifts };
  return clashes || counts
    ? {
        ...(clashes && { clashes: clashes.map(serializeClash) }),
        ...(counts && { in_use: counts }),
      }
    : undefined;
}

/** Kinds of rows are spelled as in REST; options are the caller's own words. */
function spellCounts(inUse: Readonly<Record<string, number>> | readonly { option: string; events: number }[]) {
  return Object.fromEntries(
    Array.isArray(inUse)
      ? inUse.map(({ option, events }: { option: string; events: number }) => [option, events])
      : Object.entries(inUse).map(([name, count]) => [snakeCase(name), count]),
  ) as Record<string, number>;
}
