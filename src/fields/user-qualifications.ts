import { limits } from '../config/limits.ts';

/* Descriptions for both dialects. */

export const levelText = `Level, 1 to ${limits.levelMax}; null for none, which meets no lowest level.`;
export const endangeredText =
  'Active shifts to come of the person that require the qualification and are not over before it ends, by start.';
