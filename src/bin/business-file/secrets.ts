import { randomBytes } from 'node:crypto';
import { signingSecretsOf } from '../../access/tokens.ts';
import { createSecretBox, webhookKeysOf, type SecretBox } from '../../access/secret-box.ts';
import type { Config } from '../../config/config.ts';
import type { MovedTable } from '../../db/business-rows.ts';
import { Failure } from '../../errors.ts';
import { generateSecret } from '../../services/webhooks.ts';

/** A row as JSON, in its database or in the file. */
export type ChangeRow = (table: MovedTable, row: string) => string;

type Columns = Record<string, unknown>;

const holdsSecrets = ({ secrets }: MovedTable): boolean => Object.keys(secrets).length > 0;

/** Changes each secret of a row; null stays. The numbers of these tables are whole and below 2^53, so that JSON keeps them. */
function eachSecret(table: MovedTable, row: string, change: (secret: string, isEncrypted: boolean) => string | null) {
  const columns = JSON.parse(row) as Columns;
  for (const [column, kind] of Object.entries(table.secrets)) {
    const secret = columns[column] as string | null;
    columns[column] = secret === null ? null : change(secret, kind === 'encrypted');
  }
  return JSON.stringify(columns);
}

/** The keys of webhooks. They are asked for only where a business has webhooks. */
export function webhookBoxOf(config: Config): () => SecretBox {
  let box: SecretBox | undefined;
  return () => {
    const signing = config.db.url === null ? signingSecretsOf(config) : config.auth.secrets;
    if (config.webhooks.keys.length + signing.length === 0)
      throw new Failure(
        'PRECONDITION_FAILED',
        'The business has webhooks: set JWT_SECRETS and CALLBOARD_WEBHOOK_KEYS as for the service, which encrypt their secrets.',
      );
    return (box ??= createSecretBox(webhookKeysOf(config.webhooks.keys, signing)));
  };
}

/** Takes the secrets out of the rows of a file. */
export const leaveOut: ChangeRow = (table, row) => (holdsSecrets(table) ? eachSecret(table, row, () => null) : row);

/** Seals the secrets of a row for the file. */
export function sealing(file: SecretBox, webhooks: () => SecretBox): ChangeRow {
  return (table, row) => {
    if (!holdsSecrets(table)) return row;
    return eachSecret(table, row, (secret, isEncrypted) => {
      const text = isEncrypted ? webhooks().open(secret) : secret;
      if (text !== null) return file.seal(text);
      throw new Failure(
        'PRECONDITION_FAILED',
        'The secret of a webhook cannot be decrypted: set CALLBOARD_WEBHOOK_KEYS and JWT_SECRETS as for the service, or use --without-secrets.',
      );
    });
  };
}

/** Opens the secrets of a file for the database. */
export function unsealing(file: SecretBox, webhooks: () => SecretBox): ChangeRow {
  return (table, row) => {
    if (!holdsSecrets(table)) return row;
    return eachSecret(table, row, (sealed, isEncrypted) => {
      const text = file.open(sealed);
      if (text === null) throw new Error('a secret of it cannot be opened');
      return isEncrypted ? webhooks().seal(text) : text;
    });
  };
}

/** A hash that no secret has. */
const hashOfNothing = () => `\\x${randomBytes(32).toString('hex')}`;

/** Completes rows of a file without secrets, so that nobody can log in or use a key, and no webhook sends. */
export function fillingIn(webhooks: () => SecretBox, now: Date): ChangeRow {
  const at = now.toISOString();
  const stand: Readonly<Record<string, (row: Columns) => Columns>> = {
    users: () => ({ password_hash: null }),
    api_keys: ({ revoked_at }) => ({
      secret_hash: hashOfNothing(),
      revoked_at: revoked_at ?? at,
    }),
    screens: ({ claimed_at, revoked_at }) => ({
      secret_hash: claimed_at === null ? null : hashOfNothing(),
      code: null,
      revoked_at: revoked_at ?? at,
    }),
    feeds: () => ({ secret_hash: hashOfNothing(), previous_secret_hash: null, previous_secret_expires_at: null }),
    webhook_endpoints: ({ disabled_at, disabled_reason }) => ({
      secret: webhooks().seal(generateSecret()),
      previous_secret: null,
      previous_secret_expires_at: null,
      disabled_at: disabled_at ?? at,
      disabled_reason: disabled_reason ?? 'caller',
    }),
  };
  return (table, row) => {
    if (!holdsSecrets(table)) return row;
    const columns = JSON.parse(row) as Columns;
    const complete = stand[table.name];
    if (!complete) throw new Error(`${table.name} has secrets that nothing stands in for.`);
    return JSON.stringify({ ...columns, ...complete(columns) });
  };
}
