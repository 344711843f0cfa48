import type { SkillLevel } from '../generated/prisma/client.ts';

export type SkillLevelRow = Omit<SkillLevel, 'businessId'>;
