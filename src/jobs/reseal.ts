import type { FastifyBaseLogger } from 'fastify';
import type { SecretBox } from '../access/secret-box.ts';
import { limits } from '../config/limits.ts';
import type { Database } from '../db/engine/database.ts';
import { readSealedSecrets, replaceSealedSecrets } from '../db/webhook-delivery.ts';

/**
 * Encrypts anew the webhook secrets that an earlier key has encrypted, so that this key can be removed from the list. A secret whose
 * key is gone already stays as it is. Returns how many endpoints have such a secret.
 */
export async function resealSecrets(
  { prisma }: Pick<Database, 'prisma'>,
  { open, seal, isCurrent }: SecretBox,
  log: FastifyBaseLogger,
): Promise<number> {
  const reseal = (sealed: string | null): string | null => {
    if (sealed === null || isCurrent(sealed)) return sealed;
    const text = open(sealed);
    return text === null ? sealed : seal(text);
  };
  let resealed = 0;
  let unreadable = 0;
  for (let after: { businessId: number; id: number } | null = { businessId: 0, id: 0 }; after;) {
    const page = await readSealedSecrets(prisma, after, limits.pageRows);
    for (const stored of page) {
      const anew = { secret: reseal(stored.secret)!, previousSecret: reseal(stored.previousSecret) };
      const isSame = anew.secret === stored.secret && anew.previousSecret === stored.previousSecret;
      if (open(stored.secret) === null) unreadable += 1;
      if (!isSame && (await replaceSealedSecrets(prisma, stored, anew))) resealed += 1;
    }
    after = page.at(-1) ?? null;
  }
  if (resealed > 0) log.info({ endpoints: resealed }, 'webhook secrets are encrypted under the first key now');
  return unreadable;
}
