import { ArgsType, InputType } from 'type-graphql';
import { limits, newPasswordText, withoutPasswordText } from '../config/limits.ts';
import { Role } from './enums.ts';
import { CursorArgs } from './page-args.ts';
import { field, inputOn, inputWith } from './shapes.ts';

const phoneText = `Phone number: digits, spaces and \`+ - ( ) .\`, with an extension such as \`x12\`; at most ${limits.phoneChars} characters.`;

@InputType({ description: 'A new user.' })
export class CreateUserInput extends inputWith({
  email: field.text(
    `E-mail address to log in with (ASCII), at most ${limits.emailChars} characters; an address that is taken is refused with code CONFLICT.`,
  ),
  name: field.text(
    `Full name, at most ${limits.textChars} characters. Shifts show its first word as first name and the rest as last name.`,
  ),
  role: field.of(Role)('Role of the user.'),
  phone: field.text.orNull(phoneText),
  password: field.text.orNull(
    `Password to log in with: ${newPasswordText}. Null or left out, in \`createUsers\` alone, ${withoutPasswordText}`,
  ),
}) {}

@InputType({ description: 'Changes to a user: only the given fields change.' })
export class UpdateUserInput extends inputWith({
  email: field.text.optional(
    `E-mail address (ASCII), at most ${limits.emailChars} characters; an address that is taken is refused with code CONFLICT.`,
  ),
  name: field.text.optional(`Full name, at most ${limits.textChars} characters.`),
  role: field.of(Role).optional('Role of the user. The last admin cannot lose that role: code LAST_ADMIN.'),
  phone: field.text.orNull(`${phoneText} Null removes it.`),
}) {}

@InputType({ description: 'A change of your own password.' })
export class ChangePasswordInput extends inputWith({
  current: field.text('Your current password.'),
  next: field.text(`Your new password: ${newPasswordText}.`),
}) {}

const searched = `Has this text somewhere in the name or e-mail address, without regard to case and accents; at most ${limits.textChars} characters.`;

@ArgsType()
export class StaffListArgs extends inputOn(CursorArgs, {
  search: field.text.orNull(searched),
  positionId: field.rowId('Position').orNull('Has a shift in the position of this id, of any status but DELETED.'),
  freeFor: field
    .rowId('CallTime')
    .orNull(
      'Is free for the call time of this id: has no active shift, on an active or draft event, that shares time with it or may share some.',
    ),
}) {}

@ArgsType()
export class UserListArgs extends inputOn(CursorArgs, {
  search: field.text.orNull(searched),
  role: field.of(Role).orNull('Lists only users with this role.'),
}) {}
