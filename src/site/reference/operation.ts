import { html, type Html } from '../html.ts';
import { itemHeading, type ListingItem } from '../listing.ts';
import { codeBlock, inlineProse, prose } from '../prose.ts';
import {
  nameOfRef,
  type DocumentedAnswer,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type DocumentedShape,
} from './document.ts';
import { listSamples } from './samples.ts';
import { fieldList, fieldsOf, typeOf } from './shapes.ts';

interface Described extends Operation {
  readonly method: string;
  readonly path: string;
}

export function describeOperation(operation: Described, document: OpenApiDocument): ListingItem {
  const { operationId, method, path, summary, tags } = operation;
  return {
    id: operationId,
    words: [method, path, summary, operationId, ...tags].join(' ').toLowerCase(),
    label: html`${methodMark(method)} ${summary}`,
    body: html`${itemHeading(operationId, summary, summary)}
      <p class="ref-route">
        ${methodMark(method)} <code>${path}</code>
        ${operation['x-callboard-extension'] ? extensionMark : html``}
      </p>
      <div class="ref-columns">
        <div>${request(operation, document)} ${answers(operation)}</div>
        <div class="ref-samples">${samples(operation)}</div>
      </div>`,
  };
}

const methodMark = (method: string): Html =>
  html`<span class="ref-method" data-method="${method}">${method.toUpperCase()}</span>`;

const extensionMark = html`<span class="ref-mark" title="Not part of the documented contract">extension</span>`;

function request({ description, parameters = [], requestBody }: Described, document: OpenApiDocument): Html {
  const [body] = Object.values(requestBody?.content ?? {});
  return html`${description === undefined ? html`` : prose(description)}
  ${
    parameters.length > 0
      ? html`<h4>Parameters</h4>
          ${fieldList(parameters.map(parameterField), ({ name }) => placeOf(name, parameters))}`
      : html``
  }
  ${
    body
      ? html`<h4>Body</h4>
          ${fieldList(fieldsOf(resolve(body.schema, document)))}`
      : html``
  }`;
}

const parameterField = ({ name, schema, required = false, description }: Parameter) => ({
  name,
  shape: schema,
  isRequired: required,
  description: description ?? schema.description,
});

function placeOf(name: string, parameters: readonly Parameter[]): Html {
  const place = parameters.find((parameter) => parameter.name === name)?.in;
  return place === undefined || place === 'query' ? html`` : html`<span class="ref-place">in the ${place}</span>`;
}

const resolve = (shape: DocumentedShape, { components }: OpenApiDocument): DocumentedShape =>
  (shape.$ref === undefined ? shape : components.schemas[nameOfRef(shape.$ref)]) ?? {};

function answers({ responses }: Described): Html {
  const all = Object.entries(responses);
  const refusals = all.filter(([status]) => !status.startsWith('2'));
  return html`<h4>Answers</h4>
    ${all.filter(([status]) => status.startsWith('2')).map(([status, answer]) => success(status, answer))}
    <details>
      <summary>Refusals: ${refusals.map(([status]) => status).join(', ')}</summary>
      <ul class="ref-fields">
        ${refusals.map(
          ([status, { description, content }]) =>
            html`<li>
              <code class="ref-name">${status}</code> <span class="ref-type">${bodyType(content)}</span>
              <p>${inlineProse(description)}</p>
            </li> `,
        )}
      </ul>
    </details>`;
}

const success = (status: string, { content = {}, headers = {} }: DocumentedAnswer): Html =>
  html`<details>
    <summary>${status}: ${Object.keys(content).join(', ') || 'no body'}</summary>
    ${Object.values(content)
      .slice(0, 1)
      .map(({ schema }) => (schema.properties ? fieldList(fieldsOf(schema)) : html`<p>${typeOf(schema)}</p>`))}
    <p>
      Headers:
      ${Object.keys(headers).map(
        (name, at) => html`${at === 0 ? '' : ', '}<a href="#headers"><code>${name}</code></a>`,
      )}
    </p>
  </details>`;

const bodyType = (content: DocumentedAnswer['content'] = {}): Html =>
  html`${Object.values(content)
    .slice(0, 1)
    .map(({ schema }) => typeOf(schema))}`;

function samples(operation: Described): Html {
  const { operationId, parameters = [], requestBody, responses, security = [] } = operation;
  const body = Object.values(requestBody?.content ?? {})[0]?.example;
  const [status, answer] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
  const example = Object.values(answer?.content ?? {})[0]?.example;
  const call = {
    method: operation.method.toUpperCase(),
    path: operation.path,
    isPublic: security.length === 0,
    ...(isDestructive(operation) && { isDestructive: true }),
    parameters: parameters.map(({ name, in: place, required = false, example: value }) => ({
      name,
      place,
      isRequired: required,
      ...(required && value !== undefined && { value: typeof value === 'string' ? value : JSON.stringify(value) }),
    })),
    ...(body !== undefined && { body }),
    accepts: Object.keys(answer?.content ?? {}),
  };
  const [first, ...others] = listSamples(call);
  return html`<h4>Example</h4>
    ${codeBlock(first.code, `${first.language} for ${operationId}`)}
    ${others.map(
      ({ language, code }) =>
        html`<details>
          <summary>${language}</summary>
          ${codeBlock(code, `${language} for ${operationId}`)}
        </details> `,
    )}
    <div class="ref-try" data-call="${JSON.stringify(call)}"></div>
    ${
      example === undefined
        ? html``
        : html`<p class="cb-says">Example of an answer: ${status ?? ''}</p>
            ${codeBlock(printExample(example), `Example of an answer to ${operationId}`, 'cb-answer')}`
    }`;
}

/** Whether a call takes away what cannot be had back. The reference asks before it sends one. */
const isDestructive = ({ method, summary, description = '' }: Described): boolean =>
  method === 'delete' ||
  (method !== 'get' && /\b(delete|revoke|remove)s?\b/i.test(`${summary} ${/^[^.]*/.exec(description)?.[0] ?? ''}`));

const printExample = (example: unknown): string =>
  typeof example === 'string' ? example : JSON.stringify(example, null, 2);
