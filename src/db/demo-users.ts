import { Prisma, type PrismaClient, type Role } from '../generated/prisma/client.ts';

export interface DemoUser {
  readonly email: string;
  readonly role: Role;
  /** Name of the business. */
  readonly business: string;
  readonly passwordHash: string;
}

/** Finds the users with these e-mails who belong to a demo business and can log in, admins first. */
export function findDemoUsers(prisma: PrismaClient, emails: readonly string[]): Promise<DemoUser[]> {
  return prisma.$queryRaw<DemoUser[]>(Prisma.sql`
    SELECT u.email, u.role, b.name AS business, u.password_hash AS "passwordHash"
      FROM users u
      JOIN businesses b ON b.id = u.business_id
     WHERE b.is_demo AND u.email_key IN (${Prisma.join([...emails])})
       AND u.deleted_at IS NULL AND u.password_hash IS NOT NULL
     ORDER BY b.id, u.role, u.id`);
}
