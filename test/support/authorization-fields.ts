import { describe, expect, test } from '@jest/globals';
import type { GraphQLField } from 'graphql';
import { buildDocument, findIdArguments, buildSelection } from '../../src/bin/isolation/documents.ts';
import { createSchema } from '../../src/nouns.ts';
import { cellsOf, type Callable, type CellCheck } from './matrix-cells.ts';
import { fieldRows } from './matrix-rows.ts';

/* Every root field of GraphQL, with all that hangs on what it gives, asked for by everyone. */

const schema = createSchema();
const fieldsOf = (kind: 'query' | 'mutation') =>
  Object.values((kind === 'query' ? schema.getQueryType() : schema.getMutationType())?.getFields() ?? {}).map(
    (field) => ({ kind, field: field as GraphQLField<unknown, unknown> }),
  );
const fields = [...fieldsOf('query'), ...fieldsOf('mutation')];

const callables = fields
  .filter(({ field: { name } }) => name in fieldRows)
  .map(({ kind, field }): Callable => {
    const row = fieldRows[field.name]!;
    return {
      name: field.name,
      row,
      namesRow: findIdArguments(field.args).some(({ isRequired }) => isRequired),
      writes: kind === 'mutation',
      ignoresCredential: false,
      call: (target) => {
        const variables = (row.input?.(target) ?? {}) as Record<string, unknown>;
        const selection = buildSelection(field.type, { depth: 3, perPage: 5 });
        return { method: 'POST', url: '/graphql', body: buildDocument(kind, [{ field, variables }], selection) };
      },
      outcome: (status, body) => {
        const { data, errors = [] } = body as Answer;
        // Nodes that are not there are null, without an error.
        const isNoNode = /^nodes?$/.test(field.name) && [data?.[field.name]].flat().every((node) => node === null);
        if (isNoNode && errors.length === 0) return 'NOT_FOUND';
        const code = errors[0]?.extensions.code;
        const isWhole = code === 'UNAUTHENTICATED' ? status === 401 && !data : status === 200;
        const shown = data?.[field.name] ?? null;
        if (code === undefined) return shown === null || !isWhole ? `nothing, ${status}` : 'OK';
        return shown === null && isWhole ? code : `${code}, ${status}, but ${JSON.stringify(data)}`;
      },
    };
  });

interface Answer {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: { readonly extensions: { readonly code: string } }[];
}

/** Declares the part of the matrix that GraphQL has. */
export const testFields = ({ checkCell }: CellCheck) =>
  describe('in GraphQL', () => {
    test('the table has a row for every root field', () => {
      expect(Object.keys(fieldRows).sort()).toEqual(fields.map(({ field: { name } }) => name).sort());
      // Streams run the operations of the queries that have their names.
      expect(Object.keys(fieldRows)).toEqual(
        expect.arrayContaining(Object.keys(schema.getSubscriptionType()!.getFields())),
      );
    });

    test.each(cellsOf(callables))('$name by $actor: $expected', checkCell);
  });
