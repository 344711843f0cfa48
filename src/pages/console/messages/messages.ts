import { messages as english, type Messages } from './en.ts';

/* All texts of the console. Another language is one more file here, named by its code: it exports `messages` of the type `Messages`. */

export type { Messages };

const others = import.meta.glob<{ messages: Messages }>(['./??.ts', './??-??.ts', '!./en.ts']);

let messages = english;

/** Loads the first language that the reader prefers and that is there. */
export async function loadMessages(): Promise<void> {
  const codes = navigator.languages.flatMap((code) => [code, code.split('-')[0] ?? code]);
  const code = codes.find((each) => each === 'en' || `./${each}.ts` in others) ?? 'en';
  const load = others[`./${code}.ts`];
  if (load) messages = (await load()).messages;
  document.documentElement.lang = messages.language;
  const skip = document.querySelector('.cb-skip');
  if (skip) skip.textContent = messages.shell.skip;
}

export const useMessages = (): Messages => messages;
