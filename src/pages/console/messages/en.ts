import { sections } from '../settings/section-messages.ts';
import { more } from './more.ts';

/** All texts in English. */
export const messages = { ...more, settings: { ...more.settings, ...sections } };

export type Messages = typeof messages;
