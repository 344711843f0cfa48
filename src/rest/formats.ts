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
export const formatFlag = (value: boolean): 'true' | 'false' => (value ? 'true' : 'false');

export const utcStampSchema = (description: string) =>
  Type.String({ description: `${description}, UTC, \`Y-m-d H:i:s\`.`, examples: ['2026-11-20 10:28:21'] });
