import type { PGlite } from '@electric-sql/pglite';
import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQueryable,
  Transaction,
} from '@prisma/driver-adapter-utils';
import { PrismaPGlite } from 'pglite-prisma-adapter';

/**
 * Prisma's adapters for PGlite, with transactions of their own: those of the package report a COMMIT that failed as a success, set the
 * isolation level outside the transaction, and do not wait for scripts.
 */
export function adaptPglite(pglite: PGlite): SqlDriverAdapterFactory {
  const { provider, adapterName } = new PrismaPGlite(pglite);
  const queriesOn = async (
    client: Parameters<Parameters<PGlite['transaction']>[0]>[0] | PGlite,
  ): Promise<SqlQueryable> => {
    // Only its methods for queries are used, which a transaction of PGlite has as well.
    const queries = await new PrismaPGlite(client as PGlite).connect();
    return {
      provider,
      adapterName,
      queryRaw: (query) => queries.queryRaw(query),
      executeRaw: (query) => queries.executeRaw(query),
    };
  };
  const startTransaction: SqlDriverAdapter['startTransaction'] = (level) =>
    new Promise<Transaction>((resolve, reject) => {
      const ended = pglite.transaction(async (tx) => {
        if (level) await tx.exec(`SET TRANSACTION ISOLATION LEVEL ${level}`);
        const queries = await queriesOn(tx);
        await new Promise<void>((end) => {
          resolve({
            ...queries,
            options: { usePhantomQuery: true },
            commit: () => {
              end();
              return ended;
            },
            rollback: async () => {
              await tx.rollback();
              end();
              await ended;
            },
          });
        });
      });
      ended.catch(reject);
    });
  return {
    provider,
    adapterName,
    connect: async () => ({
      ...(await queriesOn(pglite)),
      startTransaction,
      executeScript: async (script) => void (await pglite.exec(script)),
      getConnectionInfo: () => ({ supportsRelationJoins: true }),
      dispose: async () => undefined,
    }),
  };
}
