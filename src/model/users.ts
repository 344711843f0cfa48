import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import type * as stored from '../generated/prisma/client.ts';
import { Role } from './enums.ts';
import { PageInfo } from './page-info.ts';
import { Version } from './versions.ts';

/** A user as it is read; the e-mail is null if the caller may not see it. */
export type UserRow = Pick<stored.User, 'id' | 'name' | 'role' | 'createdAt' | 'updatedAt' | 'version'> & {
  email: string | null;
};

@ObjectType({ description: 'A person of the business: an admin, a staff member or a client.', simpleResolvers: true })
export class User implements UserRow {
  @Field(() => Int, { description: 'Numeric id, as in REST.' })
  id!: UserRow['id'];

  @Field(() => String, { description: 'Full name, as it was sent.' })
  name!: UserRow['name'];

  @Field(() => String, {
    nullable: true,
    description: 'E-mail address. Null unless the caller is an admin or reads their own account.',
  })
  email!: UserRow['email'];

  @Field(() => Role, { description: 'Role of the user.' })
  role!: UserRow['role'];

  @Field(() => GraphQLDateTimeISO, { description: 'Created, UTC.' })
  createdAt!: UserRow['createdAt'];

  @Field(() => GraphQLDateTimeISO, { description: 'Last changed, UTC.' })
  updatedAt!: UserRow['updatedAt'];

  @Version()
  version!: UserRow['version'];
}

@ObjectType({ description: 'A page of users.', simpleResolvers: true })
export class UserConnection {
  @Field(() => [User], { description: 'The users of this page, by id.' })
  nodes!: User[];

  @Field(() => Int, { simple: false, description: 'Users on all pages.' })
  totalCount!: number;

  @Field(() => PageInfo, { description: 'Position of this page in the whole list.' })
  pageInfo!: PageInfo;
}
