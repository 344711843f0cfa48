/** A shift of the viewer, as the page shows it. */
export interface OwnShift {
  readonly uuid: string;
  readonly version: number;
  readonly status: 'ACTIVE' | 'CANCELED';
  readonly confirmed: boolean;
  readonly declinedAt: string | null;
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly position: { readonly title: string };
  readonly callTime: {
    readonly startTimeTbd: boolean;
    readonly endTimeTbd: boolean;
    readonly notesForStaff: string | null;
    readonly dressCode: string | null;
    readonly skillLevel: { readonly name: string } | null;
  } | null;
  readonly event: {
    readonly title: string;
    readonly status: 'ACTIVE' | 'DRAFT' | 'CANCELED';
    readonly timezone: string;
    readonly startsAt: string;
    readonly venueName: string | null;
    readonly room: string | null;
    readonly address: string | null;
    readonly city: string | null;
    readonly state: string | null;
    readonly zip: string | null;
    readonly dressCode: string | null;
  };
}

export interface ShiftPage {
  readonly page: {
    readonly nodes: readonly OwnShift[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly endCursor: string | null;
      readonly hasPreviousPage: boolean;
      readonly startCursor: string | null;
    };
  };
}

const fields = `
  nodes {
    uuid version status confirmed declinedAt startsAt endsAt position { title }
    callTime { startTimeTbd endTimeTbd notesForStaff dressCode skillLevel { name } }
    event { title status timezone startsAt venueName room address city state zip dressCode }
  }
  pageInfo { hasNextPage endCursor hasPreviousPage startCursor }`;

/** From an instant on, the next first. Called-off ones are among them, so that nobody looks for what is gone. */
export const shiftsToCome = `query MyShiftsToCome($from: DateTimeISO!, $after: String) {
  page: myShifts(from: $from, statuses: [ACTIVE, CANCELED], first: 50, after: $after) {${fields}}
}`;

/** Before an instant: the last ones, oldest first. */
export const shiftsPast = `query MyPastShifts($to: DateTimeISO!, $before: String) {
  page: myShifts(to: $to, statuses: [ACTIVE, CANCELED], last: 50, before: $before) {${fields}}
}`;

export const confirmDocument = `mutation ConfirmOwn($id: ID!, $version: Int!) {
  shift: confirmShift(id: $id, version: $version) { uuid version }
}`;

export const unconfirmDocument = `mutation UnconfirmOwn($id: ID!, $version: Int!) {
  shift: unconfirmShift(id: $id, version: $version) { uuid version }
}`;

export const declineDocument = `mutation DeclineOwn($id: ID!, $version: Int!) {
  shift: declineShift(id: $id, version: $version) { uuid version }
}`;

/** When a shift begins; while that is to be determined, when its event does. */
export const startMs = ({ startsAt, event }: OwnShift): number => Date.parse(startsAt ?? event.startsAt);

export const isCalledOff = ({ status, event }: OwnShift): boolean =>
  status === 'CANCELED' || event.status === 'CANCELED';

export const isWaiting = (shift: OwnShift): boolean => !isCalledOff(shift) && !shift.confirmed;

/** The place in one line, for people and for maps. */
export const describePlace = ({ event }: OwnShift): string =>
  [event.venueName, event.address, [event.city, event.state, event.zip].filter(Boolean).join(' ')]
    .filter(Boolean)
    .join(', ');
