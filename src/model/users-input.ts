import { ArgsType, Field, InputType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type * as stored from '../generated/prisma/enums.ts';
import { Role } from './enums.ts';
import { CursorArgs } from './page-args.ts';

const passwordRule = `${limits.passwordMinBytes} to ${limits.passwordMaxBytes} bytes, not among the most common passwords`;

@InputType({ description: 'A new user.' })
export class CreateUserInput {
  @Field(() => String, {
    description: `E-mail address to log in with (ASCII), at most ${limits.emailChars} characters; an address that is taken is refused with code CONFLICT.`,
  })
  email!: string;

  @Field(() => String, {
    description: `Full name, at most ${limits.nameChars} characters. Shifts show its first word as first name and the rest as last name.`,
  })
  name!: string;

  @Field(() => Role, { description: 'Role of the user.' })
  role!: stored.Role;

  @Field(() => String, { description: `Password to log in with: ${passwordRule}.` })
  password!: string;
}

@InputType({ description: 'Changes to a user: only the given fields change.' })
export class UpdateUserInput {
  @Field(() => String, {
    nullable: true,
    description: `E-mail address (ASCII), at most ${limits.emailChars} characters; an address that is taken is refused with code CONFLICT.`,
  })
  email?: string;

  @Field(() => String, { nullable: true, description: `Full name, at most ${limits.nameChars} characters.` })
  name?: string;

  @Field(() => Role, {
    nullable: true,
    description: 'Role of the user. The last admin cannot lose that role: code LAST_ADMIN.',
  })
  role?: stored.Role;
}

@InputType({ description: 'A change of your own password.' })
export class ChangePasswordInput {
  @Field(() => String, { description: 'Your current password.' })
  current!: string;

  @Field(() => String, { description: `Your new password: ${passwordRule}.` })
  next!: string;
}

@ArgsType()
export class UserListArgs extends CursorArgs {
  @Field(() => Role, { nullable: true, description: 'Lists only users with this role.' })
  role?: stored.Role | null;
}
