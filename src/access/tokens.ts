import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import type { Logger } from 'pino';
import { ConfigError, type Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import type { SigningSecret } from '../config/setting-types.ts';
import { cannotBeWritten } from '../db/engine/data-dir.ts';

/* A personal access token is a JWT: HS256 only, `kid` names the secret, `bid` the business, `jti` the row that revokes it; `use` is `console` if a log-in on the pages made it. */
const algorithm = 'HS256';
const typ = 'at+jwt';
const issuer = 'callboard';
const audience = 'callboard-api';
/** The clocks of two nodes may differ by this much. */
const clockSkewS = 60;

interface TokenClaims {
  readonly businessId: number;
  readonly userId: number;
  readonly jti: string;
  /** Whether a log-in on the pages made the token. */
  readonly isConsole: boolean;
}

export interface Tokens {
  sign(
    holder: Omit<TokenClaims, 'jti' | 'isConsole'> & { readonly isConsole?: boolean },
    now: Date,
    lifetimeS?: number,
  ): { token: string; jti: string; expiresAt: Date };
  /** Null for anything but a token that this service signed and that is valid now. The database knows whether it was revoked. */
  verify(token: string, now: Date): TokenClaims | null;
}

/** `onUnknownKid` is told of a token that looks like ours, but names a secret that this process does not have. */
export function createTokens(
  secrets: readonly SigningSecret[],
  onUnknownKid: (kid: string) => void = () => undefined,
): Tokens {
  // jsonwebtoken would try each string as a public key on every call: src/guide/performance.md#keys-parsed-once
  const keys = secrets.map(({ kid, secret }) => ({ kid, key: createSecretKey(secret, 'utf8') }));
  const [signing] = keys;
  if (!signing) throw new ConfigError('JWT_SECRETS is missing.');
  return {
    sign({ businessId, userId, isConsole }, now, lifetimeS = limits.credentialLifetimeS) {
      const jti = randomUUID();
      const iat = Math.floor(now.getTime() / 1000);
      const exp = iat + lifetimeS;
      const token = jwt.sign({ bid: businessId, iat, exp, ...(isConsole && { use: 'console' }) }, signing.key, {
        algorithm,
        header: { alg: algorithm, typ, kid: signing.kid },
        issuer,
        audience,
        subject: String(userId),
        jwtid: jti,
      });
      return { token, jti, expiresAt: new Date(exp * 1000) };
    },
    verify(token, now) {
      try {
        const header = jwt.decode(token, { complete: true })?.header;
        const known = keys.find(({ kid }) => kid === header?.kid);
        if (!known && header?.typ === typ && /^[\w.-]{1,64}$/.test(header.kid ?? '')) onUnknownKid(String(header.kid));
        if (!header || !known || header.typ !== typ || 'crit' in header) return null;
        const nowS = Math.floor(now.getTime() / 1000);
        const claims = jwt.verify(token, known.key, {
          algorithms: [algorithm],
          issuer,
          audience,
          clockTimestamp: nowS,
        });
        return readClaims(claims, nowS);
      } catch {
        return null;
      }
    },
  };
}

/** Refuses what jsonwebtoken accepts: a missing `exp`, a future `iat` and a payload that is a string. */
function readClaims(claims: unknown, nowS: number): TokenClaims | null {
  if (typeof claims !== 'object' || claims === null) return null;
  const { bid, sub, jti, iat, exp, use } = claims as Record<string, unknown>;
  if (typeof iat !== 'number' || typeof exp !== 'number' || exp - iat > limits.credentialLifetimeS) return null;
  if (iat > nowS + clockSkewS) return null;
  const userId = typeof sub === 'string' && /^\d{1,10}$/.test(sub) ? Number(sub) : NaN;
  const isId = (id: unknown): id is number => Number.isInteger(id) && Number(id) >= 1 && Number(id) <= limits.int4Max;
  if (!isId(bid) || !isId(userId)) return null;
  if (typeof jti !== 'string' || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(jti)) return null;
  return { businessId: bid, userId, jti, isConsole: use === 'console' };
}

/** The configured secrets. With the embedded database, one is generated at the first start and stored beside it. */
export function signingSecretsOf(config: Config): readonly SigningSecret[] {
  if (config.auth.secrets.length > 0) return config.auth.secrets;
  const path = join(config.db.dataDir, 'jwt-secret');
  mkdirSync(config.db.dataDir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(path, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      // An empty file would be refused as a damaged one at the next start.
      rmSync(path, { force: true });
      throw cannotBeWritten(path, error);
    }
  }
  const secret = readFileSync(path, 'utf8').trim();
  if (Buffer.byteLength(secret) < limits.secretBytes)
    throw new ConfigError(`The signing secret in ${path} is damaged: delete the file to get a new one.`);
  return [{ kid: 'embedded', secret }];
}

/**
 * Makes a function that logs the kid of a token whose secret this process does not have, at most once in a while, because
 * anybody can send such tokens. The line counts those since the one before.
 */
export function createUnknownKidLog(log: Logger): (kid: string) => void {
  let quietUntil = 0;
  let tokens = 0;
  return (kid) => {
    tokens++;
    if (performance.now() < quietUntil) return;
    log.warn(
      { kid, tokens },
      'a token is signed with a secret that JWT_SECRETS of this process lacks: when secrets change, add the new one to all processes before it signs',
    );
    quietUntil = performance.now() + limits.resolutionS * 1000;
    tokens = 0;
  };
}
