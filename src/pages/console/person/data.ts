import type { Role } from '../../application/session.ts';

type Texts<Name extends string> = Readonly<Record<Name, string | null>>;

export interface Shift extends Texts<'declinedAt' | 'startsAt' | 'endsAt'> {
  readonly uuid: string;
  readonly status: 'ACTIVE' | 'CANCELED' | 'DELETED';
  readonly confirmed: boolean;
  readonly durationMinutes: number | null;
  readonly position: { readonly title: string };
  readonly callTime: { readonly skillLevel: { readonly name: string } | null } | null;
  readonly event: Readonly<Record<'uuid' | 'title' | 'status' | 'timezone' | 'startsAt', string>> | null;
}

export interface Shifts {
  readonly totalCount: number;
  readonly nodes: readonly Shift[];
}

export interface Person extends Readonly<Record<'id' | 'name' | 'email' | 'createdAt', string>> {
  readonly databaseId: number;
  readonly role: Role;
  /** Whether there is a password; without one, the person needs an invitation. */
  readonly canLogIn: boolean;
  readonly phone: string | null;
  /** What a mail server said when it refused the address for good. */
  readonly mailFault: string | null;
  readonly version: number;
  readonly coming: Shifts;
  readonly past: Shifts;
}

const shifts = `{
  totalCount
  nodes {
    uuid status confirmed declinedAt startsAt endsAt durationMinutes position { title }
    callTime { skillLevel { name } } event { uuid title status timezone startsAt }
  }
}`;

export const personQuery = `query Person($id: ID!, $now: DateTimeISO!) {
  user(id: $id) {
    id databaseId name email role canLogIn phone mailFault createdAt version
    coming: shiftsConnection(filter: { from: $now, statuses: [ACTIVE, CANCELED] }, sort: { order: ASC }, first: 100) ${shifts}
    past: shiftsConnection(filter: { to: $now, statuses: [ACTIVE, CANCELED] }, sort: { order: DESC }, first: 100) ${shifts}
  }
}`;

export interface PersonData {
  readonly user: Person | null;
}
