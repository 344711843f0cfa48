import { expect, test } from '@jest/globals';
import { parse } from 'graphql';
import { limits } from '../src/config/limits.ts';
import { createDocumentStore } from '../src/graphql/documents.ts';

const documentOf = (chars: number) => parse('{ __typename } #'.padEnd(chars, 'x'));

test('a document is kept when it comes a second time', async () => {
  const store = createDocumentStore();
  await store.set('digest', documentOf(100));
  expect(await store.get('digest')).toBeUndefined();
  const document = documentOf(100);
  await store.set('digest', document);
  expect(await store.get('digest')).toBe(document);
});

test('documents are kept within a bound on their memory, which counts their text', async () => {
  const store = createDocumentStore();
  const count = Math.ceil(limits.graphqlDocumentsBytes / (2 * limits.graphqlChars));
  for (let number = 0; number < count; number++)
    for (let repeated = 0; repeated < 2; repeated++) await store.set(`${number}`, documentOf(limits.graphqlChars));
  const kept = await Promise.all(Array.from({ length: count }, (_, number) => store.get(`${number}`)));
  expect(kept.filter(Boolean).length).toBeLessThan(count);
  expect(kept.at(-1)).toBeDefined();
});

test('the digests of documents that came once are bounded', async () => {
  const store = createDocumentStore();
  await store.set('first', documentOf(20));
  for (let number = 0; number < limits.remembered; number++) await store.set(`${number}`, documentOf(20));
  await store.set('first', documentOf(20));
  expect(await store.get('first')).toBeUndefined();
});
