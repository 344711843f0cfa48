import Type from 'typebox';
import { limits } from '../config/limits.ts';
import { int4, text } from '../validation/schemas.ts';

/** Input of a list that is read by page number. Values out of range are refused, never clamped. */
export function pageNumberInput() {
  return {
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.int4Max, default: 1, description: 'Page number.' })),
    perPage: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.perPageMax,
        default: limits.perPageDefault,
        description: 'Items per page.',
      }),
    ),
  };
}

/** Input of a list that is read by page number, or from a cursor on. The scope's `pageRowsMax` bounds `first` and `last` further. */
export function pageInput() {
  return {
    ...pageNumberInput(),
    first: Type.Optional(int4(1, limits.pageRows)),
    after: Type.Optional(text(limits.tokenChars)),
    last: Type.Optional(int4(1, limits.pageRows)),
    before: Type.Optional(text(limits.tokenChars)),
    withTotal: Type.Optional(Type.Boolean()),
  };
}
