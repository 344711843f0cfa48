/* The filter of a long page with a side navigation; src/site/listing.ts renders both. */

interface Item {
  readonly element: HTMLElement;
  readonly link: HTMLElement | null;
  /** Its names, in lower case. */
  readonly words: string;
  /** Lines that can be found by their own names. */
  readonly parts: readonly { readonly element: HTMLElement; readonly words: string }[];
}

const input = document.querySelector<HTMLInputElement>('#filter')!;
const found = document.querySelector<HTMLElement>('#found')!;
const elements = [...document.querySelectorAll<HTMLElement>('[data-words]')];
const links = new Map(
  [...document.querySelectorAll<HTMLElement>('[data-item]')].map((link) => [link.dataset['item'], link]),
);
const groups = [...document.querySelectorAll<HTMLElement>('[data-group]')].map((nav) => ({
  nav,
  section: document.getElementById(nav.dataset['group'] ?? '')!,
}));

let items: readonly Item[] | undefined;

/** Reads the page when it is first filtered. */
const readItems = (): readonly Item[] =>
  (items ??= elements.map((element) => ({
    element,
    link: links.get(element.id) ?? null,
    words: element.dataset['words'] ?? '',
    parts: [...element.querySelectorAll<HTMLElement>('[data-part]')].map((part) => ({
      element: part,
      words: (part.dataset['part'] ?? '').toLowerCase(),
    })),
  })));

/** Shows the items whose names, or whose parts' names, hold each word; if there are none, those whose text does. */
function filter(): void {
  const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (text: string) => wanted.every((word) => text.includes(word));
  const all = readItems();
  const isShown = (item: Item) => matches(item.words) || item.parts.some(({ words }) => matches(words));
  const byName = new Set(all.filter(isShown));
  const shown =
    byName.size > 0 ? byName : new Set(all.filter(({ element }) => matches(element.textContent.toLowerCase())));
  for (const item of all) {
    const { element, link, words, parts } = item;
    element.hidden = !shown.has(item);
    if (link) link.hidden = element.hidden;
    const isWhole = matches(words) || byName.size === 0;
    for (const part of parts) part.element.hidden = !isWhole && !matches(part.words);
  }
  for (const { nav, section } of groups)
    nav.hidden = section.hidden = section.querySelector('[data-words]:not([hidden])') === null;
  found.textContent = `${shown.size === all.length ? '' : `${shown.size} of `}${all.length} ${input.dataset['noun']}`;
}

/** A link may lead to an item that the filter hides. */
function showTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target?.closest('[hidden]')) return;
  input.value = '';
  filter();
  target.scrollIntoView();
}

input.addEventListener('input', filter);
addEventListener('hashchange', showTarget);
addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select, dialog');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  input.focus();
});
// A browser that goes back keeps what was typed.
if (input.value !== '') filter();
