import { expect } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

interface Document {
  readonly paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >;
  readonly components: { schemas: Record<string, object> };
}

const validators = new WeakMap<object, (value: unknown) => string | null>();

/** Fails when a documented route answers with a status or a body that the OpenAPI document does not show. */
export function expectDocumented(
  document: Document,
  method: string,
  url: string,
  { status, body }: { status: number; body: unknown },
): void {
  const path = url.split('?')[0] ?? url;
  const template = Object.keys(document.paths).find((candidate) =>
    new RegExp(`^${candidate.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  const operation = template && document.paths[template]?.[method.toLowerCase()];
  if (!operation) return;
  const response = operation.responses[status];
  expect({ method, template, status, isDocumented: response !== undefined }).toMatchObject({ isDocumented: true });
  const schema = response?.content?.['application/json']?.schema;
  if (!schema) throw new Error(`${method} ${template} ${status} has no schema`);
  expect({ method, template, status, deviation: validatorOf(document, schema)(body) }).toMatchObject({
    deviation: null,
  });
}

function validatorOf(document: Document, schema: object) {
  const known = validators.get(schema);
  if (known) return known;
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  // Answers are closed: a field that the document does not show is a deviation.
  const check = ajv.compile(closed({ ...schema, components: document.components }) as object);
  const validator = (value: unknown) => (check(value) ? null : JSON.stringify(check.errors));
  validators.set(schema, validator);
  return validator;
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return 'properties' in inner && inner['type'] === 'object' ? { additionalProperties: false, ...inner } : inner;
}
