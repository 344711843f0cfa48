import { operation } from '../access/operation.ts';
import { noInput } from '../validation/schemas.ts';

/** Reads what is left of the rate limit of the caller, after what this request has cost. */
export const get = operation({
  name: 'rateLimit.get',
  roles: 'anyone',
  isFree: true,
  input: noInput,
  run: async ({ rateLimit }) => rateLimit(),
});
