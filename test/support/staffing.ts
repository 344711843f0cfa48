import { expect } from '@jest/globals';
import type { Service } from './app.ts';
import { flattenRow } from './flat-rows.ts';

/** How a mutation ended. */
export interface MutationOutcome {
  /** `OK`, or the code of the failure. */
  readonly code: string;
  readonly message: string;
  readonly errors: Record<string, string[]>;
  // oxlint-disable-next-line no-explicit-any -- tests look into answers freely
  readonly clashes: any[];
  /** The answer. */
  // oxlint-disable-next-line no-explicit-any -- tests look into answers freely
  readonly row: any;
}

export type Move = 'confirm' | 'unconfirm' | 'decline' | 'cancel' | 'delete';

const callTime = `uuid position { databaseId title } skillLevel { databaseId } staffNeeded startTime startsAt startTimeTbd endTime endsAt endTimeTbd
  notesForStaff payRate payUnit dressCode createdAt modifiedAt`;
const shiftFields = `uuid callTime { databaseId } position { databaseId title } user { databaseId } firstName lastName status confirmed confirmedAt
  declinedAt startTime startsAt endTime endsAt payRate overrideReason createdAt modifiedAt`;
const clash =
  'kind callTimeUuid needed assigned user { databaseId } shiftUuid eventUuid eventTitle startsAt endsAt minutes text until';

/** The mutations of staffing, through GraphQL. */
export const staffing = (service: () => Service) => {
  const mutate = async (as: string | undefined, mutation: string, variables: object): Promise<MutationOutcome> => {
    const { body } = await service().graphql(`mutation ${mutation}`, { as, variables });
    const [error] = body.errors ?? [];
    const { code = 'OK', errors = {}, clashes = [] } = error?.extensions ?? {};
    return { code, message: error?.message ?? '', errors, clashes, row: flattenRow(body.data?.row ?? null) };
  };
  /** Makes a change that clashes may stand against, which are the same as data and in the error. */
  const change = async (as: string, mutation: string, variables: object): Promise<MutationOutcome> => {
    const { row: payload, ...outcome } = await mutate(as, mutation, variables);
    if (payload) expect(payload.clashes).toMatchObject(flattenRow(outcome.clashes));
    return { ...outcome, row: payload?.it ?? null };
  };
  return {
    createCallTime: (as: string, eventUuid: string, input: object) =>
      mutate(
        as,
        `($eventUuid: ID!, $input: CreateCallTimeInput!) { row: createCallTime(eventId: $eventUuid, input: $input) { ${callTime} } }`,
        { eventUuid, input },
      ),
    updateCallTime: (as: string, uuid: string, input: object) =>
      change(
        as,
        `($uuid: ID!, $input: UpdateCallTimeInput!) {
           row: updateCallTime(id: $uuid, input: $input) { it: callTime { ${callTime} } clashes { ${clash} } } }`,
        { uuid, input },
      ),
    deleteCallTime: (as: string, uuid: string) =>
      mutate(as, `($uuid: ID!) { row: deleteCallTime(id: $uuid) { ${callTime} } }`, { uuid }),
    assign: (as: string, input: object) =>
      change(
        as,
        `($input: AssignShiftInput!) { row: assignShift(input: $input) { it: shift { ${shiftFields} } clashes { ${clash} } } }`,
        { input },
      ),
    assignMany: (as: string, inputs: object[], key?: string) =>
      mutate(
        as,
        `($inputs: [AssignShiftInput!]!, $key: String) { row: assignShifts(inputs: $inputs, idempotencyKey: $key) {
           shift { ${shiftFields} } clashes { ${clash} } error { code message errors { field messages } } } }`,
        { inputs, key },
      ),
    updateShift: (as: string, uuid: string, input: object) =>
      change(
        as,
        `($uuid: ID!, $input: UpdateShiftInput!) {
           row: updateShift(id: $uuid, input: $input) { it: shift { ${shiftFields} } clashes { ${clash} } } }`,
        { uuid, input },
      ),
    moveTo: (as: string, uuid: string, input: object) =>
      change(
        as,
        `($uuid: ID!, $input: MoveShiftInput!) {
           row: moveShift(id: $uuid, input: $input) { it: shift { ${shiftFields} } clashes { ${clash} } } }`,
        { uuid, input },
      ),
    exchange: (as: string, uuid: string, input: object) =>
      change(
        as,
        `($uuid: ID!, $input: ExchangeShiftsInput!) {
           row: exchangeShifts(id: $uuid, input: $input) { it: shifts { ${shiftFields} } clashes { ${clash} } } }`,
        { uuid, input },
      ),
    move: (as: string, move: Move, uuid: string) =>
      mutate(as, `($uuid: ID!) { row: ${move}Shift(id: $uuid) { ${shiftFields} } }`, { uuid }),
  };
};
