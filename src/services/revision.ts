import { operation, variantOf } from '../access/operation.ts';
import { everyRoleAndScreen } from '../access/permissions.ts';
import { noInput } from '../validation/schemas.ts';
import { LiveItems } from './live.ts';

/** Returns the data version of the business, which was read with the credential: it costs no statement of its own. */
export const get = operation({
  name: 'revision.get',
  roles: everyRoleAndScreen,
  scopes: ['read'],
  cacheable: true,
  isLight: true,
  input: noInput,
  run: async ({ actor }) => actor.revision,
});

export interface LiveRevision {
  readonly revision: string;
}

/** Follows the data version of the business: the present one at once, and each one that it has afterwards. */
export const follow = variantOf(get, {
  input: noInput,
  run: async ({ actor }, _input, capabilities) => {
    const ticks = capabilities.follow();
    const first = { item: { revision: actor.revision }, hasMore: false };
    const readNext = async () => {
      const { revision } = ticks;
      return { item: await ticks.share('revision', async () => ({ revision })), hasMore: false };
    };
    return new LiveItems<LiveRevision>(ticks, first, readNext, false);
  },
});
