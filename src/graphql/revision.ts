import { Ctx, Extensions, Query, Resolver, Root, Subscription } from 'type-graphql';
import * as revision from '../services/revision.ts';
import type { Context } from './context.ts';

const description =
  'Data version of the business: another text after each change of what it has stored, and never an earlier one again.';

@Resolver()
export class RevisionResolver {
  @Query(() => String, { nullable: true, description })
  @Extensions({ calls: revision.get })
  revision(@Ctx() { scope }: Context): Promise<string> {
    return revision.get(scope, {});
  }

  @Subscription(() => String, {
    name: 'revision',
    description: `${description} The present one comes at once. A client that is slow gets the newest only.`,
    subscribe: ({ context }) => revision.follow((context as Context).scope, {}),
  })
  @Extensions({ calls: revision.follow })
  followRevision(@Root() { revision: current }: revision.LiveRevision): string {
    return current;
  }
}
