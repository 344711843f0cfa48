/* Light or dark colours: as in the system settings, until the user chooses. */

export type Choice = 'system' | 'light' | 'dark';
export type Theme = 'light' | 'dark';

const storageKey = 'callboard:theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

let choice: Choice = storedChoice();

function storedChoice(): Choice {
  const stored = localStorage.getItem(storageKey);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

export const readTheme = (): Theme => {
  if (choice !== 'system') return choice;
  return system.matches ? 'dark' : 'light';
};

export const readChoice = (): Choice => choice;

export function watchTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function chooseTheme(next: Choice): void {
  choice = next;
  if (next === 'system') localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, next);
  applyTheme();
}

/** callboard.css asks the system for its colour scheme, so its dark rules are switched on or off here. */
export function applyTheme(): void {
  const theme = readTheme();
  const root = document.documentElement;
  root.dataset['theme'] = theme;
  root.style.colorScheme = theme;
  for (const sheet of document.styleSheets)
    if (sheet.href?.endsWith('/assets/callboard.css'))
      for (const rule of sheet.cssRules)
        if (rule instanceof CSSMediaRule && isAboutDark(rule))
          rule.media.mediaText = theme === 'dark' ? 'all' : 'not all';
  for (const listener of listeners) listener();
}

const darkRules = new WeakSet<CSSRule>();

function isAboutDark(rule: CSSMediaRule): boolean {
  if (rule.media.mediaText.includes('prefers-color-scheme')) darkRules.add(rule);
  return darkRules.has(rule);
}

system.addEventListener('change', applyTheme);
