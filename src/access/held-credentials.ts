import { openBusinesses } from '../db/businesses.ts';
import type { Read } from '../db/engine/reads.ts';
import { forbidden, unauthenticated, type Failure } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Role } from '../generated/prisma/enums.ts';
import {
  idOfActor,
  type KeyActor,
  type KnownActor,
  readScopes,
  rightsOf,
  type ScreenActor,
  type UserActor,
} from './actor.ts';

/** Says of each caller why a stream of theirs must end; null if their credential still gives them the rights it gave. */
export type CheckCredentials = (actors: Iterable<KnownActor>) => Promise<(actor: KnownActor) => Failure | null>;

interface HeldRow {
  readonly credential: string;
  /** Null for a screen. */
  readonly role: Role | null;
  readonly scopes: string;
}

/** Looks up the credentials of callers whose requests are still under way, all in one statement. */
export function createCredentialCheck(read: Read, clock: () => Date): CheckCredentials {
  return async (actors) => {
    const held = new Map([...actors].map((actor) => [credentialOf(actor), actor]));
    const users = [...held.values()].filter((actor): actor is UserActor => actor.kind === 'user');
    const keys = [...held.values()].filter((actor): actor is KeyActor => actor.kind === 'apiKey');
    const screens = [...held.values()].filter((actor): actor is ScreenActor => actor.kind === 'screen');
    const now = clock();
    const rows = await read<HeldRow>(Prisma.sql`
      SELECT 'user ' || t.jti AS credential, u.role::text AS role, array_to_string(t.scopes, ' ') AS scopes
        FROM unnest(${users.map(({ businessId }) => businessId)}::int[], ${users.map(({ jti }) => jti)}::uuid[])
               AS held (business_id, jti)
        JOIN personal_tokens t ON t.business_id = held.business_id AND t.jti = held.jti
        JOIN users u ON u.business_id = t.business_id AND u.id = t.user_id
        JOIN ${openBusinesses} AS b ON b.id = t.business_id
       WHERE t.revoked_at IS NULL AND t.expires_at > ${now}::timestamptz AND u.deleted_at IS NULL
       UNION ALL
      SELECT 'apiKey ' || k.id, 'admin', array_to_string(k.scopes, ' ')
        FROM unnest(${keys.map(({ businessId }) => businessId)}::int[], ${keys.map(({ keyId }) => keyId)}::int[])
               AS held (business_id, id)
        JOIN api_keys k ON k.business_id = held.business_id AND k.id = held.id
        JOIN ${openBusinesses} AS b ON b.id = k.business_id
       WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${now}::timestamptz)
       UNION ALL
      SELECT 'screen ' || s.id, NULL, 'read'
        FROM unnest(${screens.map(({ businessId }) => businessId)}::int[], ${screens.map(({ screenId }) => screenId)}::int[])
               AS held (business_id, id)
        JOIN screens s ON s.business_id = held.business_id AND s.id = held.id
        JOIN ${openBusinesses} AS b ON b.id = s.business_id
       WHERE s.revoked_at IS NULL`);
    const found = new Map(rows.map((row) => [row.credential, row]));
    return (actor) => {
      const row = found.get(credentialOf(actor));
      if (!row) return unauthenticated('The credential of this stream is no longer valid.');
      const current = { ...actor, role: row.role, scopes: readScopes(row.scopes) } as KnownActor;
      return rightsOf(current) === rightsOf(actor)
        ? null
        : forbidden('The rights of the caller have changed: open the stream again.');
    };
  };
}

const credentialOf = (actor: KnownActor): string =>
  actor.kind === 'user' ? `user ${actor.jti}` : `${actor.kind} ${idOfActor(actor)}`;
