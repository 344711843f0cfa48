import type { FastifyBaseLogger } from 'fastify';
import { createPasswords } from '../access/passwords.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/engine/database.ts';
import { seedDemo } from './seed/demo.ts';

/** Fills an empty embedded database with demo data on the first start and logs how to log in. */
export async function offerDemo(config: Config, { prisma }: Database, log: FastifyBaseLogger): Promise<void> {
  if (!config.demo || (await prisma.business.count()) > 0) return;
  const { businesses, password } = await seedDemo(prisma, new Date(), createPasswords(config.auth).hash);
  for (const { name, plan, adminEmail } of businesses)
    log.info(`demo business "${name}" (${plan}): log in as ${adminEmail} with the password ${password}`);
}
