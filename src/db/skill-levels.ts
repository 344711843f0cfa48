import { Prisma, type SkillLevel } from '../generated/prisma/client.ts';
import { rowsOfBusiness } from './sources.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

export type SkillLevelRow = Omit<SkillLevel, 'businessId'>;

/** Reads skill levels of call times that the caller sees, in any order. */
export function readSkillLevelsByIds(db: TenantDb, ids: readonly number[]): Promise<SkillLevelRow[]> {
  return rawOf(db).$queryRaw<SkillLevelRow[]>(Prisma.sql`
    SELECT l.id, l.name, l.version FROM ${rowsOfBusiness(db, 'skill_levels', 'l')} WHERE l.id = ANY(${ids}::int[])`);
}
