/* What the board asks, by role. No document names a field that its role may not read. */

const eventFields = `
  uuid title status timezone start { iso } startsAt endsAt startTimeTbd endTimeTbd
  venueName room address city state dressCode`;

const callFields = `
  uuid staffNeeded startsAt endsAt startTimeTbd endTimeTbd notesForStaff dressCode
  position { id title } skillLevel { name }`;

const shiftFields = `
  uuid version firstName lastName confirmed confirmedAt createdAt startsAt endsAt
  position { id title } callTime { uuid }`;

const noted = 'attendance { version lateFrom checkedInAt checkedOutAt noShow }';

export const adminEvents = `query BoardEvents($from: DateTimeISO!, $to: DateTimeISO!, $after: String) {
  page: events(
    filter: { runsFrom: $from, runsTo: $to, statuses: [ACTIVE, DRAFT] }, sort: { by: START, order: ASC }, first: 100, after: $after
  ) {
    nodes {${eventFields}
      client { id name }
      callTimes {${callFields} }
      workShifts {${shiftFields} overrideReason ${noted} }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

export const adminConflicts = `query BoardConflicts($from: DateTimeISO!, $to: DateTimeISO!, $after: String) {
  page: conflicts(from: $from, to: $to, first: 100, after: $after) {
    nodes {
      kind minutes startsAt staff { name }
      first { uuid event { uuid title } }
      second { uuid event { uuid title } }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

/** The board of a screen. All its events are on one page. */
export const screenEvents = `query BoardScreen($from: DateTimeISO!, $to: DateTimeISO!) {
  page: myScreenBoard(from: $from, to: $to) {
    nodes: events {
      uuid title timezone start { iso } startsAt endsAt startTimeTbd endTimeTbd venueName room city dressCode
      callTimes { uuid position skillLevel staffNeeded startsAt endsAt startTimeTbd endTimeTbd }
      workShifts { uuid callTimeUuid position firstName lastName confirmed doubleBooked createdAt startsAt endsAt lateFrom checkedInAt checkedOutAt noShow }
    }
  }
}`;

/** A client has no filter by time, so the board takes from its own events those of the span, canceled ones too. */
export const clientEvents = `query BoardOwnEvents($after: String) {
  page: myEvents(statuses: [ACTIVE, CANCELED], first: 100, after: $after) {
    nodes {${eventFields}
      callTimes {${callFields} }
      workShifts {${shiftFields} }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

/** All shifts from then on, whatever the span: what waits for an answer is told of all. */
export const staffShifts = `query BoardOwnShifts($from: DateTimeISO!, $after: String) {
  page: myShifts(from: $from, statuses: [ACTIVE], first: 100, after: $after) {
    nodes {${shiftFields}
      ${noted}
      call: callTime {${callFields} }
      event {${eventFields} }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

/** An event that the board does not show. */
export const elsewhere = `query BoardElsewhere($id: ID!) { event(id: $id) { title status startsAt timezone } }`;
