import { ObjectType } from 'type-graphql';
import { userFields, type ShownUser } from '../fields/users.ts';
import { connectionTo } from './connection-to.ts';
import { addFields, Shape, type ClassOf } from './fields.ts';
import { Node } from './nodes.ts';

@ObjectType({
  description: 'A person of the business: an admin, a staff member or a client.',
  implements: Node,
  simpleResolvers: true,
})
export class User extends (Shape as ClassOf<ShownUser>) {}
addFields(User, userFields, ['email']);

@ObjectType({ description: 'A page of users, by id.', simpleResolvers: true })
export class UserConnection extends connectionTo(User, 'User', 'users') {}
