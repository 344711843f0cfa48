import { ArgsType, Field, InputType } from 'type-graphql';
import { limits, newPasswordText } from '../config/limits.ts';
import type * as stored from '../generated/prisma/enums.ts';
import { Role } from './enums.ts';
import { CursorArgs } from './page-args.ts';
import { RowIdField } from './row-ids.ts';

const phoneText = `Phone number: digits, spaces and \`+ - ( ) .\`, with an extension such as \`x12\`; at most ${limits.phoneChars} characters.`;

@InputType({ description: 'A new user.' })
export class CreateUserInput {
  @Field(() => String, {
    description: `E-mail address to log in with (ASCII), at most ${limits.emailChars} characters; an address that is taken is refused with code CONFLICT.`,
  })
  email!: string;

  @Field(() => String, {
    description: `Full name, at most ${limits.textChars} characters. Shifts show its first word as first name and the rest as last name.`,
  })
  name!: string;

  @Field(() => Role, { description: 'Role of the user.' })
  role!: stored.Role;

  @Field(() => String, { nullable: true, description: phoneText })
  phone?: string | null;

  @Field(() => String, { description: `Password to log in with: ${newPasswordText}.` })
  password!: string;
}

@InputType({ description: 'Changes to a user: only the given fields change.' })
export class UpdateUserInput {
  @Field(() => String, {
    nullable: true,
    description: `E-mail address (ASCII), at most ${limits.emailChars} characters; an address that is taken is refused with code CONFLICT.`,
  })
  email?: string;

  @Field(() => String, { nullable: true, description: `Full name, at most ${limits.textChars} characters.` })
  name?: string;

  @Field(() => Role, {
    nullable: true,
    description: 'Role of the user. The last admin cannot lose that role: code LAST_ADMIN.',
  })
  role?: stored.Role;

  @Field(() => String, { nullable: true, description: `${phoneText} Null removes it.` })
  phone?: string | null;
}

@InputType({ description: 'A change of your own password.' })
export class ChangePasswordInput {
  @Field(() => String, { description: 'Your current password.' })
  current!: string;

  @Field(() => String, { description: `Your new password: ${newPasswordText}.` })
  next!: string;
}

const searched = `Has this text somewhere in the name or e-mail address, without regard to case and accents; at most ${limits.textChars} characters.`;

@ArgsType()
export class StaffListArgs extends CursorArgs {
  @Field(() => String, { nullable: true, description: searched })
  search?: string | null;

  @RowIdField('Position', {
    nullable: true,
    description: 'Has a shift in the position of this id, of any status but DELETED.',
  })
  positionId?: number | null;

  @RowIdField('CallTime', {
    nullable: true,
    description:
      'Is free for the call time of this id: has no active shift, on an active or draft event, that shares time with it or may share some.',
  })
  freeFor?: string | null;
}

@ArgsType()
export class UserListArgs extends CursorArgs {
  @Field(() => String, { nullable: true, description: searched })
  search?: string | null;

  @Field(() => Role, { nullable: true, description: 'Lists only users with this role.' })
  role?: stored.Role | null;
}
