/* Light or dark colours: as in the system settings, until the user chooses. The styles follow `data-theme` of the root element. */

export type Choice = 'system' | 'light' | 'dark';
export type Theme = 'light' | 'dark';

const storageKey = 'callboard:theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

let choice: Choice = storedChoice();

function storedChoice(): Choice {
  try {
    return asChoice(localStorage.getItem(storageKey));
  } catch {
    return 'system';
  }
}

const asChoice = (stored: string | null): Choice => (stored === 'light' || stored === 'dark' ? stored : 'system');

export const readChoice = (): Choice => choice;

export function readTheme(): Theme {
  if (choice !== 'system') return choice;
  return system.matches ? 'dark' : 'light';
}

export function watchTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function chooseTheme(next: Choice): void {
  apply(next);
  try {
    if (next === 'system') localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, next);
  } catch {
    // Without storage the choice holds for this page.
  }
}

function apply(next: Choice): void {
  choice = next;
  const theme = readTheme();
  document.documentElement.dataset['theme'] = theme;
  const bar = document.querySelector<HTMLMetaElement>('meta[name=theme-color]');
  if (bar) bar.content = bar.dataset[theme] ?? bar.content;
  for (const listener of listeners) listener();
}

system.addEventListener('change', () => apply(choice));
// Another page of this browser has chosen.
addEventListener('storage', ({ key, newValue }) => {
  if (key === storageKey) apply(asChoice(newValue));
});
