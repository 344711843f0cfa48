import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { examples } from '../src/rest/examples.ts';
import { sendableOperations } from './support/example-scene.ts';
import { expectDocumented } from './support/openapi.ts';

/*
 * The examples of the OpenAPI document, as its snapshot has them. `npm run fresh` holds the snapshot to the service, and sends each example
 * again: it must be accepted, and answered as it says.
 */

interface Media {
  example?: unknown;
}
interface Document {
  readonly info: { readonly version: string };
  readonly paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        parameters?: { name: string; in: string; example?: unknown }[];
        requestBody?: { content: Record<string, Media> };
        responses: Record<string, { headers?: Record<string, { $ref: string }>; content?: Record<string, Media> }>;
      }
    >
  >;
  readonly components: { readonly headers: Record<string, { description?: string; schema: object }> };
}

const document = JSON.parse(readFileSync(new URL('openapi.snapshot.json', import.meta.url), 'utf8')) as Document;

const described = () => Object.values(document.paths).flatMap((methods) => Object.values(methods));

test('every operation has an example of its path, its body and each of its answers', () => {
  const missing = described().flatMap(({ operationId, parameters = [], requestBody, responses }) => {
    const media = [
      ...Object.values(requestBody?.content ?? {}),
      ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
        status.startsWith('2') ? Object.values(content) : [],
      ),
    ];
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    return [...media, ...inPath].every(({ example }) => example !== undefined) ? [] : [operationId];
  });
  expect({ missing, advice: 'npm run generate records the examples' }).toMatchObject({ missing: [] });
  const ids = new Set(described().map(({ operationId }) => operationId));
  expect(Object.keys(examples).filter((id) => !ids.has(id))).toEqual([]);
});

test('the answer of each example has the shape that the document describes', () => {
  for (const { method, url, example } of sendableOperations(document))
    expectDocumented(document as never, method, url, { status: example!.status, headers: {}, body: example!.answer });
});

test('examples hold no credential', () => {
  expect(JSON.stringify(examples)).not.toMatch(/cbk_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}|eyJ[\w-]+\.eyJ/);
});

test('every answer describes the headers that it comes with', () => {
  for (const { operationId, responses } of described())
    for (const [status, { headers = {} }] of Object.entries(responses)) {
      const names = Object.keys(headers);
      expect({ operationId, status, names }).toMatchObject({
        names: expect.arrayContaining([
          'X-RateLimit-Limit',
          'X-RateLimit-Remaining',
          'X-RateLimit-Reset',
          'X-Request-Id',
        ]),
      });
      if (status === '429' || status === '503') expect(names).toContain('Retry-After');
      if (status === '401') expect(names).toContain('WWW-Authenticate');
      for (const { $ref } of Object.values(headers))
        expect(document.components.headers[$ref.split('/').at(-1)!]).toMatchObject({ description: expect.any(String) });
    }
});
