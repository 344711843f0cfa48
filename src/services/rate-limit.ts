import Type from 'typebox';
import { publicOperation } from '../access/operation.ts';
import { closed } from '../validation/schemas.ts';

/** What is left of the caller's budget, after what this request has cost. */
export const get = publicOperation('rateLimit.get', Type.Object({}, closed), async (scope) => scope.budget());
