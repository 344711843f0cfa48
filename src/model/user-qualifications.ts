import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type { UserQualificationRow } from '../db/user-qualifications.ts';
import { connectionTo } from './connection-to.ts';
import { Node } from './nodes.ts';
import { CursorArgs } from './page-args.ts';
import { field, inputOn, inputWith, objectWith } from './shapes.ts';
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

@InputType({ description: 'Changes to a held qualification: only the given fields change.' })
export class UpdateUserQualificationInput extends inputWith({
  level: field.int.orNull(levelText),
  validFrom: field.text.orNull('First day on which it is valid, `YYYY-MM-DD`; null: without a begin.'),
  validUntil: field.text.orNull(
    'Last day on which it is valid, `YYYY-MM-DD`; null: without an end. It may be past, and may not be before the first day. Required if the qualification expires.',
  ),
  reference: field.text.orNull(
    `Such as the number of the certificate, at most ${limits.textChars} characters; null for none.`,
  ),
}) {}

@InputType({ description: 'A qualification that a staff member holds.' })
export class CreateUserQualificationInput extends inputOn(UpdateUserQualificationInput, {
  userId: field.rowId('User')('Id of the staff member (a user) who holds it.'),
  qualificationId: field.rowId('Qualification')('Id of the qualification.'),
}) {}

@ArgsType()
export class UserQualificationListArgs extends inputOn(CursorArgs, {
  userId: field.rowId('User').orNull('Lists only what the person (a user) of this id holds.'),
  qualificationId: field.rowId('Qualification').orNull('Lists only people who hold the qualification of this id.'),
}) {}

@ArgsType()
export class ExpiringQualificationArgs extends inputOn(CursorArgs, {
  within: field.int.orNull(
    `Days from today on, by the clocks of the business, at most ${limits.spanDaysMax}. Default: ${limits.expiringDays}.`,
  ),
}) {}
