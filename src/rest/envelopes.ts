import Type, { type TSchema } from 'typebox';
import { limits } from '../config/limits.ts';
import { failureCodes } from '../errors.ts';
import { requestedPageSize, type ListPage, type PageRequest } from '../paging/pages.ts';
import { nullable } from '../validation/schemas.ts';

/** The response envelope of everything except users. */
export const envelope = <S extends TSchema>(data: S) =>
  Type.Object({ success: Type.Literal(true), data, message: Type.String() });

export const answer = <T>(data: T, message = '') => ({ success: true as const, data, message });

/** The answer to a revocation of credentials. */
export const Revoked = envelope(Type.Object({ revoked: Type.Integer({ description: 'How many were revoked.' }) }));

/** The pagination wrapper inside the envelope. */
export const pageOf = <S extends TSchema>(item: S) =>
  Type.Object({
    current_page: Type.Integer({ description: 'Number of this page.' }),
    data: Type.Array(item, { description: 'The items of this page.' }),
    per_page: Type.Integer({ description: `Page size, at most ${limits.perPageMax}.` }),
    total: Type.Integer({ description: 'Items on all pages.' }),
    last_page: Type.Integer({ description: 'Number of the last page, at least 1.' }),
  });

const cursor = (where: string) =>
  nullable(Type.String({ description: `Cursor of the page ${where} this one; null if there is none.` }));

/** The pagination wrapper of a list that is read by cursor as well. */
export const cursorPageOf = <S extends TSchema>(item: S) => {
  const { data, per_page: perPage, ...counts } = pageOf(item).properties;
  return Type.Object({
    current_page: nullable(counts.current_page),
    data,
    per_page: perPage,
    total: nullable(counts.total),
    last_page: nullable(counts.last_page),
    next_cursor: cursor('behind'),
    previous_cursor: cursor('before'),
  });
};

/** A page by cursor has no number, and is not counted: the list may be long, and each of its pages would count it anew. */
export async function serializeCursorPage<Row, Item>(
  list: ListPage<Row>,
  serialize: (row: Row) => Item,
  request: PageRequest,
) {
  const { rows, page, hasNextPage, hasPreviousPage, cursorOf } = list;
  const [first, last] = [rows[0], rows.at(-1)];
  const shown =
    page === null
      ? {
          current_page: null,
          data: rows.map(serialize),
          per_page: requestedPageSize(request),
          total: null,
          last_page: null,
        }
      : await serializePage(list, serialize);
  return {
    ...shown,
    next_cursor: hasNextPage && last ? cursorOf(last, rows.length - 1) : null,
    previous_cursor: hasPreviousPage && first ? cursorOf(first, 0) : null,
  };
}

/** Most lists are asked for by page number only, so that their numbers are known. */
export async function serializePage<Row, Item>(
  { rows, page, perPage, total, lastPage }: ListPage<Row>,
  serialize: (row: Row) => Item,
) {
  const [rowCount, last] = await Promise.all([total(), lastPage()]);
  if (page === null || perPage === null || last === null) throw new Error('A page behind a cursor has no number.');
  return { current_page: page, data: rows.map(serialize), per_page: perPage, total: rowCount, last_page: last };
}

const fieldErrors = Type.Record(Type.String(), Type.Array(Type.String()), {
  description: 'Error messages by field. Only present if fields are wrong.',
});
const codeOf = (codes: readonly string[]) =>
  Type.Unsafe<string>({ type: 'string', enum: codes, description: 'Kind of failure.' });

/* Invalid input has its own response shape: only these codes carry `errors`, and always do. */
const inputCodes: readonly string[] = ['VALIDATION_FAILED', 'IDEMPOTENCY_KEY_REUSED'];
const failed = {
  message: Type.String(),
  code: codeOf(failureCodes.filter((code) => !inputCodes.includes(code))),
  errors: Type.Optional(fieldErrors),
};
const wrongInput = { message: Type.String(), code: codeOf(inputCodes), errors: fieldErrors };
const noData = { success: Type.Literal(false), data: Type.Null() };

/** The fields of the error body of everything except users. */
export const problemProperties = { ...noData, ...failed };

export const Problem = Type.Object(problemProperties, { $id: 'Problem' });
export const InputProblem = Type.Object({ ...noData, ...wrongInput }, { $id: 'InputProblem' });

/** The error body of the users endpoints, which have no envelope. */
export const UserProblem = Type.Object(
  {
    ...failed,
    in_use: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), {
        description: 'An extension: how many rows of each kind stand in the way.',
      }),
    ),
  },
  { $id: 'UserProblem' },
);
export const UserInputProblem = Type.Object(wrongInput, { $id: 'UserInputProblem' });
