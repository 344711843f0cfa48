import { expect } from '@jest/globals';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';

interface Document {
  readonly paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >;
  readonly components: { schemas: Record<string, object> };
}

const documentId = 'openapi.json';
/** Most services of the tests have the same document, whose schemas take half a second to compile: it is kept by its text. */
const documentsByText = new Map<string, Document>();
const firstDocuments = new WeakMap<object, Document>();
const templates = new WeakMap<object, readonly { readonly template: string; readonly pattern: RegExp }[]>();
const ajvs = new WeakMap<object, Ajv2020>();
const validators = new WeakMap<object, (value: unknown) => string | null>();

function firstOf(document: Document): Document {
  const known = firstDocuments.get(document);
  if (known) return known;
  const text = JSON.stringify(document);
  const first = documentsByText.get(text) ?? document;
  documentsByText.set(text, first);
  firstDocuments.set(document, first);
  return first;
}

/** Fails when a documented route answers with a status or a body that the OpenAPI document does not show. */
export function expectDocumented(
  ofService: Document,
  method: string,
  url: string,
  { status, headers, body }: { status: number; headers: Readonly<Record<string, unknown>>; body: unknown },
): void {
  const document = firstOf(ofService);
  const path = url.split('?')[0] ?? url;
  const template = templatesOf(document).find(({ pattern }) => pattern.test(path))?.template;
  const operation = template && document.paths[template]?.[method.toLowerCase()];
  if (!operation) return;
  const response = operation.responses[status];
  expect({ method, template, status, isDocumented: response !== undefined }).toMatchObject({ isDocumented: true });
  if (response && !response.content) {
    expect({ method, template, status, body }).toMatchObject({ body: '' });
    return;
  }
  // A media type with a parameter of its own has a shape of its own.
  const { 'content-type': sent } = headers;
  const type = (typeof sent === 'string' ? sent : 'application/json').replace(/; charset=[^;]+/, '');
  const schema = (response?.content?.[type] ?? response?.content?.['application/json'])?.schema;
  if (!schema) throw new Error(`${method} ${template} ${status} has no schema`);
  expect({ method, template, status, deviation: validatorOf(document, schema)(body) }).toMatchObject({
    deviation: null,
  });
}

function templatesOf(document: Document) {
  const known = templates.get(document);
  if (known) return known;
  const made = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  templates.set(document, made);
  return made;
}

function validatorOf(document: Document, schema: object) {
  const known = validators.get(schema);
  if (known) return known;
  const check = validating(document).compile(closed(schema) as object);
  const validator = (value: unknown) => (check(value) ? null : JSON.stringify(check.errors));
  validators.set(schema, validator);
  return validator;
}

/** What a phone number surely means, told anew: the service's own check may not judge itself. */
export const isPhone = (text: string): boolean =>
  text === '' || (/^[-+(). \dext]+$/i.test(text) && /\d(\D*\d){2}/.test(text));

const refuse = (message: string) => {
  throw new Error(message);
};

/** Without strict mode, Ajv would only warn of a format that it does not check. */
export const strictLogger = { log: refuse, warn: refuse, error: refuse };

/** One for all answers of a document, whose components it compiles once. */
function validating(document: Document): Ajv2020 {
  const known = ajvs.get(document);
  if (known) return known;
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true, logger: strictLogger });
  addFormats.default(ajv);
  ajv.addFormat('phone', isPhone);
  ajv.addSchema(closed({ components: document.components }) as object, documentId);
  ajvs.set(document, ajv);
  return ajv;
}

/** Answers are closed: a field that the document does not show is a deviation. References lead into the document. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner: Record<string, unknown> = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, closed(value)]),
  );
  if (typeof inner['$ref'] === 'string') inner['$ref'] = inner['$ref'].replace(/^#/, `${documentId}#`);
  return 'properties' in inner && inner['type'] === 'object' ? { additionalProperties: false, ...inner } : inner;
}
