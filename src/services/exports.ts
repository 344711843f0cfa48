import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { limits } from '../config/limits.ts';
import { closed, int4 } from '../validation/schemas.ts';

/** One moment of the database, to be read page by page, of at most so many rows. Who opens it closes it. */
export const open = operation(
  'exports.open',
  Type.Object({ pageRowsMax: int4(1, limits.csvPageRows) }, closed),
  (scope, { pageRowsMax }) => scope.openSnapshot(pageRowsMax),
);
