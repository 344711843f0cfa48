import type { PersonQuery, ShiftsOfPersonFragment } from '../../../generated/pages/console/person.ts';

export type Shifts = ShiftsOfPersonFragment;
export type Shift = Shifts['nodes'][number];
export type Person = PersonQuery['user'];
