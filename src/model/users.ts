import { Field, Int, ObjectType } from 'type-graphql';
import { userFields, type ShownUser } from '../fields/users.ts';
import { addFields, Shape, type ClassOf } from './fields.ts';
import { PageInfo } from './page-info.ts';

@ObjectType({ description: 'A person of the business: an admin, a staff member or a client.', simpleResolvers: true })
export class User extends (Shape as ClassOf<ShownUser>) {}
addFields(User, userFields, ['email']);

@ObjectType({ description: 'A page of users.', simpleResolvers: true })
export class UserConnection {
  @Field(() => [User], { description: 'The users of this page, by id.' })
  nodes!: User[];

  @Field(() => Int, { simple: false, description: 'Users on all pages.' })
  totalCount!: number;

  @Field(() => PageInfo, { description: 'Position of this page in the whole list.' })
  pageInfo!: PageInfo;
}
