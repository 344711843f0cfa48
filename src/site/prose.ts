import { html, type Html } from './html.ts';

const marks = /`([^`]+)`|\[([^\]]+)\]\(((?:\/|https:\/\/)[^)\s]+)\)/g;

/** Descriptions of the API as HTML. Of Markdown they have inline code, links and paragraphs. */
export const prose = (text: string): Html =>
  html`${text.split('\n\n').map((paragraph) => html`<p>${inlineProse(paragraph)}</p>`)}`;

export function inlineProse(text: string): Html {
  const parts: Html[] = [];
  let end = 0;
  for (const match of text.matchAll(marks)) {
    const [whole, code, label, href] = match;
    parts.push(html`${text.slice(end, match.index)}`);
    parts.push(code === undefined ? html`<a href="${href ?? ''}">${label ?? ''}</a>` : html`<code>${code}</code>`);
    end = match.index + whole.length;
  }
  return html`${parts}${text.slice(end)}`;
}

/** Code that can be scrolled with the keyboard. */
export const codeBlock = (text: string, label: string, kind = ''): Html =>
  html`<div class="cb-code ${kind}">
    <pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>
  </div>`;
