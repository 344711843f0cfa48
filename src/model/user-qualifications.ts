import { ObjectType } from 'type-graphql';
import type { UserQualificationRow } from '../db/user-qualifications.ts';
import { connectionTo } from './connection-to.ts';
import { Node } from './nodes.ts';
import { field, objectWith } from './shapes.ts';
import { WorkShift } from './work-shifts.ts';
import { endangeredText, levelText } from '../fields/user-qualifications.ts';

@ObjectType({
  description: 'A qualification that a person holds. A renewed one may stand beside the former one.',
  implements: Node,
})
export class UserQualification
  extends objectWith({
    id: field.databaseId,
    level: field.int.orNull(levelText),
    validFrom: field.text.orNull('First day on which it is valid, `YYYY-MM-DD`; null: without a begin.'),
    validUntil: field.text.orNull('Last day on which it is valid, `YYYY-MM-DD`; null: without an end.'),
    reference: field.text.orNull('Such as the number of the certificate; null if there is none.'),
    version: field.version,
  })
  implements UserQualificationRow
{
  userId!: UserQualificationRow['userId'];
  qualificationId!: UserQualificationRow['qualificationId'];
}

@ObjectType({ description: 'A page of held qualifications, by id.' })
export class UserQualificationConnection extends connectionTo(
  UserQualification,
  'UserQualification',
  'held qualifications',
) {}

@ObjectType({ description: 'A held qualification that ends soon.' })
class ExpiringQualification extends objectWith({
  held: field.of(UserQualification)('The held qualification.'),
  shifts: field.of([WorkShift])(endangeredText),
}) {}

@ObjectType({ description: 'A page of held qualifications that end soon, by their end.' })
export class ExpiringQualificationConnection extends connectionTo(
  ExpiringQualification,
  'ExpiringQualification',
  'held qualifications',
) {}
