import { InputType } from 'type-graphql';
import { inputFrom } from '../model/input-from.ts';
import { requirementInput } from '../services/requirements.ts';
import { overrideInput } from '../services/work-shifts-input.ts';

@InputType({ description: 'Allows a change that breaks a rule of staffing, with a reason.' })
export class OverrideInput extends inputFrom(overrideInput) {}

@InputType({ description: 'A qualification that everybody needs.' })
class RequirementInput extends inputFrom(requirementInput) {}

/** Inputs that stand within others, by the names of their fields. */
export const innerInputs = { override: OverrideInput, requirements: RequirementInput };
