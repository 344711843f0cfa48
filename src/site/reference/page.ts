import { html, type Html } from '../html.ts';
import { page } from '../layout.ts';
import { itemHeading, listing, type ListingGroup } from '../listing.ts';
import { codeBlock, inlineProse, prose } from '../prose.ts';
import { writtenOrigin } from '../origin.ts';
import type { OpenApiDocument } from './document.ts';
import { describeOperation } from './operation.ts';
import { fieldList, fieldsOf, shapeAnchor, typeOf } from './shapes.ts';

export function referencePage(document: OpenApiDocument): string {
  return page({
    title: 'API reference · Callboard',
    description: 'Every route of the Callboard REST API: parameters, bodies, answers and examples, to read and to try.',
    at: '/docs',
    entry: 'reference/main.tsx',
    body: listing({
      title: 'API reference',
      noun: 'operations and shapes',
      intro: introduction(document),
      groups: [...operationGroups(document), shapeGroup(document)],
    }),
  });
}

const introduction = ({ info, components }: OpenApiDocument): Html =>
  html`<p class="cb-soft">REST · version ${info.version} · <a href="/openapi.json">OpenAPI 3.1 document</a></p>
    <div class="cb-lead">${prose(info.description)}</div>
    <p>
      The examples expect two variables of the environment: the address of this service, and a token from
      <a href="#tokens.login">the log-in</a>, or an API key. To try a route here, choose <strong>Try it</strong> below
      it.
    </p>
    ${codeBlock(`export ORIGIN=${writtenOrigin}\nexport TOKEN='…'`, 'Variables for the examples', 'ref-variables')}
    <details id="headers">
      <summary>Headers of the answers</summary>
      <ul class="ref-fields">
        ${Object.entries(components.headers).map(
          ([name, { description = '' }]) =>
            html`<li>
              <span class="ref-name">${name}</span>
              <p>${inlineProse(description)}</p>
            </li> `,
        )}
      </ul>
    </details>`;

function operationGroups(document: OpenApiDocument): ListingGroup[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  );
  return document.tags.map(({ name, description }) => ({
    id: `tag-${name.replaceAll(/[^A-Za-z]+/g, '-').toLowerCase()}`,
    title: name,
    about: prose(description),
    items: operations.filter(({ tags }) => tags[0] === name).map((operation) => describeOperation(operation, document)),
  }));
}

const shapeGroup = ({ components }: OpenApiDocument): ListingGroup => ({
  id: 'shapes',
  title: 'Shapes',
  about: html`<p>The objects that bodies and answers consist of.</p>`,
  items: Object.entries(components.schemas).map(([name, shape]) => {
    const id = shapeAnchor(name);
    const fields = fieldsOf(shape);
    return {
      id,
      words: name.toLowerCase(),
      label: html`${name}`,
      body: html`${itemHeading(id, name, name)} ${shape.description === undefined ? html`` : prose(shape.description)}
      ${fields.length > 0 ? fieldList(fields) : html`<p>${typeOf(shape)}</p>`}`,
    };
  }),
});
