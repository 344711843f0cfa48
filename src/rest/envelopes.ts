import Type, { type TSchema } from 'typebox';
import { limits } from '../config/limits.ts';
import { failureCodes } from '../errors.ts';
import type { ListPage } from '../paging/pages.ts';

/** The response envelope of everything except users. */
export const envelope = <S extends TSchema>(data: S) =>
  Type.Object({ success: Type.Literal(true), data, message: Type.String() });

export const answer = <T>(data: T, message = '') => ({ success: true as const, data, message });

/** The pagination wrapper inside the envelope. */
export const pageOf = <S extends TSchema>(item: S) =>
  Type.Object({
    current_page: Type.Integer({ description: 'Number of this page.' }),
    data: Type.Array(item, { description: 'The items of this page.' }),
    per_page: Type.Integer({ description: `Page size, at most ${limits.perPageMax}.` }),
    total: Type.Integer({ description: 'Items on all pages.' }),
    last_page: Type.Integer({ description: 'Number of the last page, at least 1.' }),
  });

/** REST asks for pages by number only, so that their numbers are known. */
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
