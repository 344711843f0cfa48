import type { Prisma, Role } from '../../generated/prisma/client.ts';
import { dayMs } from './moments.ts';
import { fullName, mailbox } from './names.ts';
import type { BusinessProfile } from './profiles.ts';
import type { Random } from './random.ts';

export type UserDraft = Omit<Prisma.UserCreateManyInput, 'businessId' | 'passwordHash'> & {
  emailKey: string;
  /** Whether the user gets the demo password. */
  hasLogin: boolean;
};

/** Drafts the business's people: an admin, staff and clients, the first of each with the log-in `role@domain`. */
export function draftPeople(profile: BusinessProfile, today: Date, random: Random): UserDraft[] {
  const draft = (name: string, role: Role, email: string, phone: string | null = null): UserDraft => {
    const createdAt = new Date(today.getTime() - random.whole(120, 700) * dayMs + random.whole(0, 86_399) * 1000);
    const [firstName = '', ...rest] = name.split(' ');
    const hasLogin = email === `${role}@${profile.domain}`;
    return {
      name,
      firstName,
      lastName: rest.join(' '),
      email,
      emailKey: email.toLowerCase(),
      role,
      phone,
      hasLogin,
      createdAt,
      updatedAt: createdAt,
    };
  };

  const clients = profile.clients.map(({ name, organisation }, index) =>
    draft(
      name,
      'client',
      index === 0
        ? `client@${profile.domain}`
        : `${mailbox(name)}@${mailbox(organisation).replaceAll('.', '-')}.example`,
    ),
  );
  const staff = Array.from({ length: profile.staffCount }, (_, index) => {
    const name = fullName(profile.seed + index);
    const email = index === 0 ? `staff@${profile.domain}` : `${mailbox(name)}@crew.${profile.domain}`;
    return draft(name, 'staff', email, fictionalPhone(index));
  });
  return [draft(profile.adminName, 'admin', `admin@${profile.domain}`), ...clients, ...staff];
}

const areaCodes = ['212', '312', '415', '504'];

/** A phone number of the range that is kept for fiction: 555-0100 to 555-0199. */
const fictionalPhone = (index: number) =>
  `+1 ${areaCodes[index % areaCodes.length]} 555-01${String(index % 100).padStart(2, '0')}`;
