import { randomBytes } from 'node:crypto';
import { limits } from '../config/limits.ts';
import { formatScreenCode, screenCodeAlphabet, screenCodeChars } from '../config/screen-codes.ts';
import { openBusinesses } from '../db/businesses.ts';
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';
import type { ScreenNames, Weekday } from '../generated/prisma/enums.ts';
import { generateBoardToken } from './api-keys.ts';
import type { Caller } from './audit.ts';
import type { KeyedDigests } from './keyed-digests.ts';

/*
 * A browser becomes a screen in three steps: it gets a secret and shows the code that belongs to it, an admin approves the code,
 * and the browser exchanges the secret for a board token. Nothing is stored before the approval, because anybody can ask for a
 * code: it is a keyed digest of the secret, which also says until when it holds.
 */

interface ScreenCode {
  readonly secret: string;
  readonly code: string;
  readonly expiresAt: Date;
}

/** The token is shown in this answer only. */
export type ScreenClaim =
  | { readonly status: 'pending' | 'expired' }
  | { readonly status: 'claimed'; readonly boardToken: string; readonly screen: ClaimedScreen };

interface ClaimedScreen {
  readonly uuid: string;
  readonly name: string;
  readonly names: ScreenNames;
  readonly businessName: string;
  readonly timezone: string;
  readonly weekStart: Weekday;
  readonly checkInEventUuid: string | null;
}

export interface ScreenPairing {
  issue(): ScreenCode;
  claim(secret: string, caller: Caller): Promise<ScreenClaim>;
}

/** The business of a claim is that of the approval: this is the one look-up by a code, which names none. */
export function createScreenPairing(prisma: PrismaClient, digests: KeyedDigests, clock: () => Date): ScreenPairing {
  return {
    issue() {
      const expiresAtS = Math.floor(clock().getTime() / 1000) + limits.screenCodeS;
      const secret = `${randomBytes(limits.secretBytes).toString('base64url')}.${expiresAtS}`;
      const [code = ''] = digests(secret).map(toCode);
      return { secret, code: formatScreenCode(code), expiresAt: new Date(expiresAtS * 1000) };
    },
    async claim(secret, caller) {
      const now = clock();
      if (now.getTime() >= Number(secret.slice(secret.indexOf('.') + 1)) * 1000) return { status: 'expired' };
      const { key: boardToken, publicId, secretHash } = generateBoardToken();
      const codes = digests(secret).map(toCode);
      const [screen] = await prisma.$queryRaw<ClaimedScreen[]>(
        claimFirst(codes, { publicId, secretHash }, caller, now),
      );
      return screen ? { status: 'claimed', boardToken, screen } : { status: 'pending' };
    },
  };
}

/** Five bits for each character. */
function toCode(hex: string): string {
  const bits = BigInt(`0x${hex.slice(0, (screenCodeChars * 5) / 4)}`);
  return Array.from(
    { length: screenCodeChars },
    (_, i) => screenCodeAlphabet[Number((bits >> BigInt(5 * i)) & 31n)],
  ).join('');
}

/** Gives the earliest approval of a code its token, and stores the entry of the audit trail. A screen is claimed once. */
function claimFirst(
  codes: readonly string[],
  token: { publicId: string; secretHash: Uint8Array },
  caller: Caller,
  now: Date,
): Prisma.Sql {
  return Prisma.sql`
    WITH approved AS (
      SELECT s.business_id, s.id FROM screens s JOIN ${openBusinesses} AS b ON b.id = s.business_id
       WHERE s.code = ANY(${codes}::text[]) AND s.claimable_until > ${now}::timestamptz AND s.revoked_at IS NULL
       ORDER BY s.created_at, s.business_id, s.id LIMIT 1 FOR UPDATE OF s),
    claimed AS (
      UPDATE screens s
         SET code = NULL, claimed_at = ${now}::timestamptz, last_seen_at = ${now}::timestamptz,
             public_id = ${token.publicId}, secret_hash = ${token.secretHash}
        FROM approved a
       WHERE s.business_id = a.business_id AND s.id = a.id
      RETURNING s.business_id, s.id, s.uuid, s.name, s.names, s.check_in_event_uuid),
    noted AS (
      INSERT INTO audit_entries (business_id, at, action, outcome, actor_kind, actor_id, actor_name,
                                 subject_kind, subject_id, address, request_id, details)
      SELECT business_id, ${now}::timestamptz, 'screens.claim', 'done', 'screen', id, name,
             'screen', id, ${caller.address}, ${caller.requestId}, jsonb_build_object('screen', uuid)
        FROM claimed)
    SELECT c.uuid, c.name, c.names::text AS names, b.name AS "businessName", b.timezone,
           b.week_start::text AS "weekStart", c.check_in_event_uuid AS "checkInEventUuid"
      FROM claimed c JOIN businesses b ON b.id = c.business_id`;
}
