/* Sets the colours before the first paint. The browser waits for this script, so it imports nothing. */

let theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
try {
  const chosen = localStorage.getItem('callboard:theme');
  if (chosen === 'light' || chosen === 'dark') theme = chosen;
} catch {
  // Without storage the colours are those of the system.
}
document.documentElement.dataset['theme'] = theme;
const bar = document.querySelector<HTMLMetaElement>('meta[name=theme-color]');
if (bar) bar.content = bar.dataset[theme] ?? bar.content;
