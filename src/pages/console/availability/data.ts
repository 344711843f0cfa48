import type { Weekday } from '../../application/session.ts';

export type Rule = 'AVAILABLE' | 'PREFERRED' | 'UNAVAILABLE';

export interface Pattern {
  readonly uuid: string;
  readonly rule: Rule;
  readonly weekday: Weekday;
  readonly startTime: string;
  readonly endTime: string;
  readonly timezone: string;
  readonly validFrom: string | null;
  readonly validUntil: string | null;
}

export type Exception = Readonly<Record<'uuid' | 'startsAt' | 'endsAt', string>> & {
  readonly rule: Rule;
  readonly note: string | null;
};

export interface AvailabilityData {
  readonly availability: {
    readonly patterns: readonly Pattern[];
    readonly exceptions: readonly Exception[];
    readonly contradictedShifts: readonly {
      readonly uuid: string;
      readonly startsAt: string;
      readonly event: Readonly<Record<'uuid' | 'title' | 'timezone', string>>;
    }[];
  };
}

export const availability = `query Availability($staffId: ID!) {
  availability(staffId: $staffId) {
    patterns { uuid rule weekday startTime endTime timezone validFrom validUntil }
    exceptions { uuid rule startsAt endsAt note }
    contradictedShifts { uuid startsAt event { uuid title timezone } }
  }
}`;

const create = (type: string) => `mutation Add($staffId: ID!, $input: Create${type}Input!, $idempotencyKey: String) {
  create${type}(staffId: $staffId, input: $input, idempotencyKey: $idempotencyKey) { __typename }
}`;
const remove = (type: string) => `mutation Remove($id: ID!) { delete${type}(id: $id) { __typename } }`;

export const createPattern = create('AvailabilityPattern');
export const createException = create('AvailabilityException');
export const deletePattern = remove('AvailabilityPattern');
export const deleteException = remove('AvailabilityException');
