import type { FastifyBaseLogger } from 'fastify';
import { createPasswords } from '../access/passwords.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/engine/database.ts';
import { seedDemo } from './seed/demo.ts';

/**
 * Fills an empty embedded database with demo data, and returns what to tell about the first start once the address is known:
 * nothing on a database that has a business already.
 */
export async function prepareFirstStart(
  config: Config,
  { prisma }: Database,
  log: Pick<FastifyBaseLogger, 'info'>,
): Promise<(origin: string) => readonly string[]> {
  if ((await prisma.business.count()) > 0) return () => [];
  if (config.demo) log.info('filling it with two demo businesses');
  const logIns = config.demo ? await addDemo(config, prisma) : [];
  return (origin) => [
    `first start: open ${origin} in a browser. REST reference: /docs, GraphQL playground: /playground, guides: /guide`,
    ...(logIns.length > 0
      ? logIns
      : ['no business is there yet: stop the service and run "callboard business create"']),
    `your data stay in ${config.db.dataDir}. Ctrl+C stops the service`,
  ];
}

async function addDemo(config: Config, prisma: Database['prisma']): Promise<string[]> {
  const { businesses, password } = await seedDemo(prisma, new Date(), createPasswords(config.auth).hash);
  return businesses.map(
    ({ name, plan, adminEmail }) =>
      `demo business "${name}" (${plan}): log in as ${adminEmail} with the password ${password}`,
  );
}
