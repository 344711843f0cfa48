import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Where a page stands among all pages.', simpleResolvers: true })
export class PageInfo {
  @Field(() => Int, { description: 'Number of this page, from 1.' })
  page!: number;

  @Field(() => Int, { description: 'Items per page.' })
  perPage!: number;

  @Field(() => Int, { description: 'Number of the last page, at least 1.' })
  lastPage!: number;

  @Field(() => Boolean, { description: 'Whether a page follows.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether a page precedes.' })
  hasPreviousPage!: boolean;
}
