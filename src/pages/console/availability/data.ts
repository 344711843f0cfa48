import type { AvailabilityQuery } from '../../../generated/pages/console/availability.ts';

type Said = AvailabilityQuery['availability'];

export type Pattern = Said['patterns'][number];
export type Exception = Said['exceptions'][number];
