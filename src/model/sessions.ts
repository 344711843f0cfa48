import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';

@ObjectType({
  description:
    'A log-in of the caller: a personal access token, or a lasting log-in of the pages with all of its tokens.',
  simpleResolvers: true,
})
export class Session {
  @Field(() => ID, { description: 'UUID of the log-in.' })
  uuid!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What logged in: the start of its header `User-Agent`; null if it sent none.',
  })
  userAgent!: string | null;

  @Field(() => Boolean, { description: 'Whether a browser keeps the log-in over restarts.' })
  lasting!: boolean;

  @Field(() => Boolean, { description: 'Whether the call is made with it.' })
  current!: boolean;

  @Field(() => GraphQLDateTimeISO, { description: 'Logged in, UTC.' })
  createdAt!: Date;

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description: 'When a lasting log-in last made a token, UTC; null for others, whose use is not noted.',
  })
  lastUsedAt!: Date | null;

  @Field(() => GraphQLDateTimeISO, { description: 'When it ends by itself, UTC.' })
  expiresAt!: Date;
}
