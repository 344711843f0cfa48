/// <reference types="vite/types/importMeta.d.ts" />
import type { Messages } from './en.ts';
import { session } from './session.ts';
import { shell } from './shell.ts';

/* All texts of the console and the board. Another language is one more file here, named by its code: it exports `messages` of the type `Messages`. */

export type { Messages };

/** Other pages with a log-in have its texts alone. */
const logIn = { language: 'en', session, shell };

let messages = logIn as unknown as Messages;

/** Loads the first language that the reader prefers and that is there. `english` has the texts that the page begins with, beside those of the log-in. */
export async function loadMessages(english: Partial<Record<keyof Messages, unknown>>): Promise<void> {
  const others = import.meta.glob<{ messages: Messages }>(['./??.ts', './??-??.ts', '!./en.ts']);
  const codes = navigator.languages.flatMap((code) => [code, code.split('-')[0] ?? code]);
  const code = codes.find((each) => each === 'en' || `./${each}.ts` in others) ?? 'en';
  const load = others[`./${code}.ts`];
  messages = load ? (await load()).messages : ({ ...logIn, ...english } as Messages);
  document.documentElement.lang = messages.language;
  const skip = document.querySelector('.cb-skip');
  if (skip) skip.textContent = messages.shell.skip;
}

/** Adds the texts with which a page did not begin. */
export async function loadAllMessages(): Promise<void> {
  if (messages.language !== 'en') return;
  const { more } = await import('./more.ts');
  // The sections of the settings stay, if they are there.
  messages = { ...more, settings: { ...more.settings, ...messages.settings } };
}

/** Adds the texts of the sections of the settings. */
export async function loadSettingsMessages(): Promise<void> {
  if (messages.language !== 'en') return;
  const { sections: texts } = await import('../settings/section-messages.ts');
  messages = { ...messages, settings: { ...messages.settings, ...texts } };
}

export const readMessages = (): Messages => messages;

export const useMessages = readMessages;
