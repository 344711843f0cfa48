import Type from 'typebox';
import type { ClashRow } from '../db/clashes.ts';
import type { Failure } from '../errors.ts';
import { clashFields } from '../fields/clashes.ts';
import { snakeCase } from './dialect.ts';
import { problemProperties } from './envelopes.ts';
import { shapeOf } from './shapes.ts';
import { titled } from './views.ts';

/* The body of a conflict on the routes beyond the contract: it shows the rows behind the conflict as data. */

const clash = shapeOf<ClashRow>(clashFields, [], { nulls: 'anyOf', instants: 'iso' });
export const ClashView = titled('Clash', clash.properties);
export const serializeClash = clash.serialize;

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
