import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({
  description: 'Position of a page in the whole list. A list that is read by cursor has no page numbers.',
  simpleResolvers: true,
})
export class PageInfo {
  @Field(() => Int, { nullable: true, description: 'Number of this page, from 1; null when read by cursor.' })
  page!: number | null;

  @Field(() => Int, { nullable: true, description: 'Items per page; null when read by cursor.' })
  perPage!: number | null;

  @Field(() => Int, {
    nullable: true,
    simple: false,
    description: 'Number of the last page, at least 1; null when read by cursor. Counts the whole list.',
  })
  lastPage!: number | null;

  @Field(() => Boolean, { description: 'Whether there is a page after this one.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether there is a page before this one.' })
  hasPreviousPage!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the first item of this page; null if the page is empty.',
  })
  startCursor!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Cursor of the last item of this page, to be sent as `after` for the next one; null if the page is empty.',
  })
  endCursor!: string | null;
}
