import { ObjectType } from 'type-graphql';
import { userFields, type ShownUser } from '../fields/users.ts';
import { connectionTo } from './connection-to.ts';
import { objectOf } from './fields.ts';
import { Node } from './nodes.ts';

@ObjectType({
  description: 'A person of the business: an admin, a staff member or a client.',
  implements: Node,
})
export class User extends objectOf<ShownUser>(userFields, ['email']) {}

@ObjectType({ description: 'A page of users, by id.' })
export class UserConnection extends connectionTo(User, 'User', 'users') {}
