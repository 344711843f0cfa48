import Type from 'typebox';
import type { RequirementRow } from '../db/requirements.ts';
import { nullable } from '../validation/schemas.ts';
import { titled } from './views.ts';

const RequirementView = titled('Requirement', {
  qualification_id: Type.Integer({ description: 'Id of the qualification.' }),
  min_level: nullable(
    Type.Integer({ description: 'Lowest level that is enough; null if any level will do, and none.' }),
  ),
});

export const requirementsView = (whose: string) =>
  Type.Array(RequirementView, {
    description: `The qualifications that ${whose} requires, all of them, by their ids. Not in CSV.`,
  });

export const serializeRequirement = ({ qualificationId, minLevel }: RequirementRow) => ({
  qualification_id: qualificationId,
  min_level: minLevel,
});
