import { chooseTheme, readChoice, watchTheme, type Choice } from './theme.ts';

/* The switch for light or dark colours in the header of every page. */

const next: Record<Choice, Choice> = { system: 'light', light: 'dark', dark: 'system' };

const button = document.querySelector<HTMLButtonElement>('#theme')!;

function show(): void {
  const choice = readChoice();
  button.dataset['choice'] = choice;
  button.title = `Colours: ${choice}`;
  button.setAttribute('aria-label', `Colours: ${choice}. Change to ${next[choice]}`);
}

button.addEventListener('click', () => chooseTheme(next[readChoice()]));
watchTheme(show);
show();
button.hidden = false;
