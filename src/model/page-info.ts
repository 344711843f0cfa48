import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({
  description: 'Where a page stands among all. A list read from a cursor on has no page numbers.',
  simpleResolvers: true,
})
export class PageInfo {
  @Field(() => Int, { nullable: true, description: 'Number of this page, from 1; null when read from a cursor on.' })
  page!: number | null;

  @Field(() => Int, { nullable: true, description: 'Items per page; null when read from a cursor on.' })
  perPage!: number | null;

  @Field(() => Int, {
    nullable: true,
    simple: false,
    description: 'Number of the last page, at least 1; null when read from a cursor on. Counts the whole list.',
  })
  lastPage!: number | null;

  @Field(() => Boolean, { description: 'Whether a page follows.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether a page precedes.' })
  hasPreviousPage!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the first item of this page; null where there is none, or where the list knows no cursors.',
  })
  startCursor!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Cursor of the last item of this page, to be sent as `after` for the next one; null where there is none, or where the list knows no cursors.',
  })
  endCursor!: string | null;
}
