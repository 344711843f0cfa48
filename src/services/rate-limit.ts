import { operation } from '../access/operation.ts';
import { noInput } from '../validation/schemas.ts';

/** Reads the caller's remaining rate limit, after the points that this request has cost. */
export const get = operation({
  name: 'rateLimit.get',
  roles: 'anyone',
  isFree: true,
  input: noInput,
  run: async ({ rateLimit }) => rateLimit(),
});
