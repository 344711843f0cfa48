import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { closed } from '../validation/schemas.ts';

/** Who is calling, as read for this request. */
export const get = operation('viewer.get', Type.Object({}, closed), async (scope) => scope.actor);
