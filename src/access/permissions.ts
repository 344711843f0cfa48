import type { CredentialScope } from '../config/credential-scopes.ts';

/**
 * The roles that may call an operation, and the rows that the caller then sees: an admin sees all rows of the business,
 * staff and clients their own, a screen those of its filter (db/visibility.ts). 'anyone' needs no credential.
 */
export type Roles =
  | 'anyone'
  | {
      readonly admin?: 'business';
      readonly staff?: 'own';
      readonly client?: 'own';
      readonly screen?: 'filter';
    };

export const admin = { admin: 'business' } as const satisfies Roles;
export const adminAndStaff = { ...admin, staff: 'own' } as const satisfies Roles;
export const adminAndClient = { ...admin, client: 'own' } as const satisfies Roles;
export const everyRole = { ...admin, staff: 'own', client: 'own' } as const satisfies Roles;

export const screen = { screen: 'filter' } as const satisfies Roles;
export const everyRoleAndScreen = { ...everyRole, ...screen } as const satisfies Roles;

/* The records of most operations begin with one of these. */
export const adminRead = { roles: admin, scopes: ['read'], cacheable: true } as const;
export const commonRead = { roles: everyRole, scopes: ['read'], cacheable: true } as const;
export const eventEdit = { roles: admin, scopes: ['events:write'], writes: true } as const;
export const staffingEdit = { roles: admin, scopes: ['staffing:write'], writes: true } as const;
export const userEdit = { roles: admin, scopes: ['users:write'], writes: true, audited: true } as const;
export const webhookEdit = { roles: admin, scopes: ['webhooks'], writes: true, audited: true } as const;
/** A call that brings an idempotency key can be repeated. */
export const repeatable = { idempotent: true } as const;
/** Only an admin with a full log-in makes and revokes what others log in with. */
export const credentialEdit = { roles: admin, scopes: ['full'], apiKey: false, writes: true, audited: true } as const;

export interface Permission {
  readonly roles: Roles;
  /** Whether a business API key may call the operation. */
  readonly apiKey: boolean;
  /** Scopes that the credential needs, all of them. An operation without any is open to every credential of its roles. */
  readonly scopes: readonly CredentialScope[];
}
