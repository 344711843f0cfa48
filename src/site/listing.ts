import { html, type Html } from './html.ts';

/* A long page with a side navigation and a filter, for the REST reference and the GraphQL schema. src/pages/site/filter.ts filters it. */

export interface ListingGroup {
  readonly id: string;
  readonly title: string;
  readonly about: Html;
  readonly items: readonly ListingItem[];
}

export interface ListingItem {
  /** The anchor of the item. */
  readonly id: string;
  /** The text that the filter looks for first, in lower case. */
  readonly words: string;
  /** The link in the side navigation. */
  readonly label: Html;
  readonly body: Html;
}

interface Listing {
  readonly title: string;
  /** The items of the list in words, such as "operations and shapes". */
  readonly noun: string;
  readonly intro: Html;
  readonly groups: readonly ListingGroup[];
}

export const listing = ({ title, noun, intro, groups }: Listing): Html =>
  html`<main class="cb ref" id="content">
    <div class="ref-side">
      <search class="ref-filter">
        <label for="filter">Filter ${noun}</label>
        <input id="filter" type="search" autocomplete="off" spellcheck="false" data-noun="${noun}" />
        <p id="found" class="cb-soft" role="status">${countItems(groups)} ${noun}</p>
      </search>
      <nav aria-label="On this page" tabindex="0">${groups.map(linksOf)}</nav>
    </div>
    <div class="ref-body">
      <h1>${title}</h1>
      ${intro} ${groups.map(sectionOf)}
    </div>
  </main>`;

const countItems = (groups: readonly ListingGroup[]): number =>
  groups.reduce((count, { items }) => count + items.length, 0);

const linksOf = ({ id, title, items }: ListingGroup): Html =>
  html`<div data-group="${id}">
    <a class="ref-group" href="#${id}">${title}</a>
    <ul>
      ${items.map((item) => html`<li data-item="${item.id}"><a href="#${item.id}">${item.label}</a></li> `)}
    </ul>
  </div>`;

const sectionOf = ({ id, title, about, items }: ListingGroup): Html =>
  html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${about}
    ${items.map(
      (item) => html`<article class="ref-item" id="${item.id}" data-words="${item.words}">${item.body}</article> `,
    )}
  </section>`;

/** The heading of an item, with a link to it. */
export const itemHeading = (id: string, title: Html | string, name: string): Html =>
  html`<h3>${title} <a class="cb-anchor" href="#${id}" aria-label="Link to “${name}”">#</a></h3>`;
