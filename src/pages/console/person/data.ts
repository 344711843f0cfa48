import type { Role } from '../../application/session.ts';

export interface Shift {
  readonly uuid: string;
  readonly status: 'ACTIVE' | 'CANCELED' | 'DELETED';
  readonly confirmed: boolean;
  readonly declinedAt: string | null;
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly durationMinutes: number | null;
  readonly position: { readonly title: string };
  readonly callTime: { readonly skillLevel: { readonly name: string } | null } | null;
  readonly event: {
    readonly uuid: string;
    readonly title: string;
    readonly status: 'ACTIVE' | 'DRAFT' | 'CANCELED' | 'DELETED';
    readonly timezone: string;
    readonly startsAt: string;
  } | null;
}

export interface Shifts {
  readonly totalCount: number;
  readonly nodes: readonly Shift[];
}

export interface Person {
  readonly id: string;
  readonly databaseId: number;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** Whether there is a password; without one, the person needs an invitation. */
  readonly canLogIn: boolean;
  readonly phone: string | null;
  readonly createdAt: string;
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
    id databaseId name email role canLogIn phone createdAt version
    coming: shiftsConnection(filter: { from: $now, statuses: [ACTIVE, CANCELED] }, sort: { order: ASC }, first: 100) ${shifts}
    past: shiftsConnection(filter: { to: $now, statuses: [ACTIVE, CANCELED] }, sort: { order: DESC }, first: 100) ${shifts}
  }
}`;

export interface PersonData {
  readonly user: Person | null;
}

export const historyQuery = `query PersonHistory($id: Int!) {
  history(filter: { kind: USER, rowDatabaseId: $id }, first: 50) {
    nodes { at actorName change fields { name before after } }
  }
}`;

export interface HistoryData {
  readonly history: {
    readonly nodes: readonly {
      readonly at: string;
      readonly actorName: string | null;
      readonly change: 'CREATED' | 'UPDATED' | 'DELETED';
      readonly fields: readonly { readonly name: string; readonly before: unknown; readonly after: unknown }[];
    }[];
  };
}
