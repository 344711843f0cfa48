import type { ClashRow } from '../db/clashes.ts';
import type { Failure } from '../errors.ts';
import { encodeGlobalId } from '../model/global-ids.ts';

/** The data of a failure as `extensions` show them: a clash names its person as the type `Clash` does, by ids alone. */
export function serializeDetails(details: NonNullable<Failure['details']>): Record<string, unknown> {
  const { clashes } = details as { readonly clashes?: readonly ClashRow[] };
  return clashes ? { ...details, clashes: clashes.map(serializeClash) } : details;
}

function serializeClash(clash: ClashRow): object {
  if (!('userId' in clash)) return clash;
  const { userId, ...overlap } = clash;
  return { ...overlap, user: { id: encodeGlobalId('User', userId), databaseId: userId } };
}
