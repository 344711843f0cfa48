import { Failure } from '../errors.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { Passwords } from './passwords.ts';
import type { Tokens } from './tokens.ts';

export interface LoggedIn {
  readonly accessToken: string;
  readonly expiresAt: Date;
}

export type LogIn = (email: string, password: string) => Promise<LoggedIn>;

/** The e-mail as it is compared: ASCII letters in lower case, others as they are (the Kelvin sign is no k). */
export const emailKeyOf = (email: string): string => email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * Log-in: the one look-up that crosses businesses, since a log-in names none. An unknown e-mail, a deleted user, one
 * without a password and a wrong password are told apart neither by answer nor by work done.
 */
export function createLogIn(prisma: PrismaClient, passwords: Passwords, tokens: Tokens, clock: () => Date): LogIn {
  return async (email, password) => {
    const user = await prisma.user.findUnique({
      where: { emailKey: emailKeyOf(email) },
      select: { businessId: true, id: true, passwordHash: true },
    });
    const isMatch = await passwords.matches(user?.passwordHash ?? null, password);
    if (!user || !isMatch) throw new Failure('INVALID_CREDENTIALS', 'E-mail or password is wrong.');
    const { token, jti, expiresAt } = tokens.sign({ businessId: user.businessId, userId: user.id }, clock());
    await prisma.personalToken.create({
      data: { businessId: user.businessId, userId: user.id, jti, createdAt: clock(), expiresAt },
    });
    return { accessToken: token, expiresAt };
  };
}
