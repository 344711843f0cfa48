import Type, { type Static } from 'typebox';
import type { CoverageRow } from '../services/coverage.ts';
import { oneOf } from '../validation/schemas.ts';

export const CoverageView = Type.Object(
  {
    needed: Type.Integer({ description: 'People that the call times need.' }),
    assigned: Type.Integer({ description: 'People assigned to the call times by active shifts, confirmed or not.' }),
    confirmed: Type.Integer({ description: 'Assigned people who confirmed.' }),
    open: Type.Integer({
      description: 'People still missing, counted for each call time: a surplus on one does not fill another.',
    }),
    fill_rate: Type.Union([Type.Number(), Type.Null()], {
      description: 'Filled share of the people needed, 0 to 1; null if nobody is needed.',
    }),
    state: oneOf(['NONE_NEEDED', 'EMPTY', 'PARTIAL', 'FILLED', 'OVERFILLED'], 'Summary of the coverage.'),
  },
  { title: 'Coverage' },
);

export const serializeCoverage = (row: CoverageRow): Static<typeof CoverageView> => ({
  needed: row.needed,
  assigned: row.assigned,
  confirmed: row.confirmed,
  open: row.open,
  fill_rate: row.fillRate,
  state: row.state,
});
