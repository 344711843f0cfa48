import Type from 'typebox';
import { oneOf } from '../validation/schemas.ts';

/* The text formats of the contract, each with its schema. */

export const textSchema = (description: string) => Type.String({ description });

export const wallTimeSchema = (description: string) =>
  Type.String({
    description: `${description}, \`Y-m-d H:i:s\` in the zone of the event.`,
    examples: ['2026-12-31 18:30:00'],
  });

export const flagSchema = (description: string) => oneOf(['true', 'false'], description);

export const utcStampSchema = (description: string) =>
  Type.String({ description: `${description}, UTC, \`Y-m-d H:i:s\`.`, examples: ['2026-11-20 10:28:21'] });

/** Exact decimal numbers are text, so that no reader rounds them. */
export const decimalSchema = (description: string) =>
  Type.String({ description, pattern: '^-?\\d+\\.\\d{2}$', examples: ['25.50'] });

/** ISO 8601 with the offset that the clocks of the event then have. */
export const offsetTimeSchema = (description: string) =>
  Type.String({
    format: 'date-time',
    description: `${description}, ISO 8601 with the offset of the event's time zone there and then.`,
    examples: ['2026-12-31T18:30:00-05:00'],
  });

/** An instant that belongs to no time zone in particular. */
export const instantSchema = (description: string) => isoSchema(`${description}, ISO 8601, UTC.`);

export const isoSchema = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-12-31T23:30:00.000Z'] });

export const versionSchema = Type.Integer({
  description:
    'Number of changes of the row. `If-Match` with it has a change refused if somebody has changed the row since.',
});
