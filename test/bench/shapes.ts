/* One shape in the words of each contender: the items of the REST list, which all answers are compared in. */

const eventFields = `uuid resourceId title description privateNotes dressCode startTime startTimeTbd endTime endTimeTbd address
  addressLine2 room city state zip latitude longitude status createdAt modifiedAt
  callTimes { uuid position { title } staffNeeded startTime startTimeTbd endTime endTimeTbd notesForStaff payUnit payRate dressCode }
  workShifts { uuid position { title } firstName lastName startTime endTime payRate confirmed status createdAt modifiedAt }
  customFields { fieldUuid fieldName fieldValue }`;

const postgraphileFields = `uuid resourceId title description privateNotes dressCode startLocal startTbd endLocal endTbd address
  addressLine2 room city state zip latitude longitude status createdAt modifiedAt
  callTimes: callTimesByBusinessIdAndEventIdList(orderBy: [STARTS_AT_ASC, ROW_ID_ASC]) {
    uuid staffNeeded startLocal startTbd endLocal endTbd notesForStaff payUnit payRate dressCode
    position: positionByBusinessIdAndPositionId { title defaultPayRate } }
  workShifts: workShiftsByBusinessIdAndEventIdList(condition: { status: active }, orderBy: [STARTS_AT_ASC, ROW_ID_ASC]) {
    uuid startLocal endLocal payRate confirmed status createdAt modifiedAt
    position: positionByBusinessIdAndPositionId { title } user: userByBusinessIdAndUserId { firstName lastName } }
  customFields: customFieldValuesByBusinessIdAndEventIdList(orderBy: PRIMARY_KEY_ASC) {
    value field: customFieldByBusinessIdAndCustomFieldId { uuid name } }`;

export const documents = {
  service: {
    board: `query Board($first: Int, $after: String, $filter: EventFilter) {
      events(first: $first, after: $after, filter: $filter, sort: { by: START, order: ASC }) { nodes { ${eventFields} } } }`,
    event: `query Event($uuid: ID!) { event(id: $uuid) { ${eventFields} } }`,
    coverage: `query Coverage($from: DateTimeISO!, $to: DateTimeISO!) {
      coverage(from: $from, to: $to, groupBy: DAY) {
        total { needed assigned confirmed open state } groups { key label coverage { needed assigned confirmed open state } } } }`,
    labourCost: `query LabourCost($from: DateTimeISO!, $to: DateTimeISO!) {
      labourCost(from: $from, to: $to, groupBy: DAY) {
        total { planned confirmed open unpricedShifts } groups { key label labourCost { planned confirmed open unpricedShifts } } } }`,
    work: `query Work($from: DateTimeISO!, $to: DateTimeISO!, $groupBy: [ReportGrouping!]!) {
      work(from: $from, to: $to, groupBy: $groupBy) {
        total { shifts people plannedHours plannedCost } groups { key secondKey label work { shifts people plannedHours plannedCost fillRate } } } }`,
    candidates: `query Candidates($callTimeId: ID!) {
      candidates(callTimeId: $callTimeId, first: 50) {
        nodes { user { name phone } verdict weekHours score reasons { code severity text until } } } }`,
    shifts: `query Shifts($from: DateTimeISO!, $first: Int) {
      workShifts(first: $first, filter: { from: $from }) { nodes { uuid position { title } firstName lastName startTime endTime confirmed } } }`,
  },
  postgraphile: {
    board: `query Board($businessId: Int!, $from: Datetime!, $first: Int!) {
      events: allEventsList(condition: { businessId: $businessId, status: active, startsFrom: $from },
        orderBy: [STARTS_AT_ASC, ROW_ID_ASC], first: $first) { ${postgraphileFields} } }`,
    event: `query Event($businessId: Int!, $uuid: UUID!) {
      events: allEventsList(condition: { businessId: $businessId, uuid: $uuid }, first: 1) { ${postgraphileFields} } }`,
  },
};

type Row = Record<string, unknown>;

const text = (value: unknown) => value ?? '';
const stamp = (value: unknown) =>
  value === null || value === undefined ? null : (value as string).slice(0, 19).replace('T', ' ');
const number = (value: unknown) => (value === null || value === undefined ? null : Number(value));
const units: Record<string, string> = { hour: 'Hour', day: 'Day', flat: 'Flat' };
const all = (value: unknown) => value as Row[];
const inner = (value: unknown) => (typeof value === 'object' && value !== null ? (value as Row) : {});

/** An event of any contender as an item of the REST list. */
export function itemOf(event: Row): Row {
  return {
    uuid: event['uuid'],
    resource_id: text(event['resourceId']),
    title: event['title'],
    description: text(event['description']),
    private_notes: text(event['privateNotes']),
    dress_code: text(event['dressCode']),
    start_date_time: stamp(event['startTime'] ?? event['startLocal']),
    start_time_tbd: String(event['startTimeTbd'] ?? event['startTbd']),
    end_date_time: stamp(event['endTime'] ?? event['endLocal']),
    end_time_tbd: String(event['endTimeTbd'] ?? event['endTbd']),
    address: text(event['address']),
    address_line_2: text(event['addressLine2']),
    room: text(event['room']),
    city: text(event['city']),
    state: text(event['state']),
    zip: text(event['zip']),
    latitude: text(event['latitude']),
    longitude: text(event['longitude']),
    status: String(event['status']).toLowerCase(),
    created_at: stamp(event['createdAt']),
    modified_at: stamp(event['modifiedAt']),
    call_times: all(event['callTimes']).map(callTimeOf),
    work_shifts: all(event['workShifts']).map(shiftOf),
    custom_fields: all(event['customFields']).map((field) => ({
      field_uuid: field['fieldUuid'] ?? inner(field['field'])['uuid'],
      field_name: field['fieldName'] ?? inner(field['field'])['name'],
      field_value: field['fieldValue'] ?? field['value'],
    })),
  };
}

const callTimeOf = (callTime: Row): Row => ({
  uuid: callTime['uuid'],
  position: inner(callTime['position'])['title'] ?? callTime['position'],
  staff_needed_count: callTime['staffNeeded'],
  start_time: stamp(callTime['startTime'] ?? callTime['startLocal']),
  start_time_tbd: String(callTime['startTimeTbd'] ?? callTime['startTbd']),
  end_time: stamp(callTime['endTime'] ?? callTime['endLocal']),
  end_time_tbd: String(callTime['endTimeTbd'] ?? callTime['endTbd']),
  notes_for_staff: text(callTime['notesForStaff']),
  payrate_unit: units[String(callTime['payUnit']).toLowerCase()],
  payrate: number(callTime['payRate'] ?? inner(callTime['position'])['defaultPayRate']),
  dress_code: text(callTime['dressCode']),
});

const shiftOf = (shift: Row): Row => ({
  uuid: shift['uuid'],
  position: inner(shift['position'])['title'] ?? shift['position'],
  first_name: shift['firstName'] ?? inner(shift['user'])['firstName'],
  last_name: shift['lastName'] ?? inner(shift['user'])['lastName'],
  start_time: stamp(shift['startTime'] ?? shift['startLocal']),
  start_time_tbd: String((shift['startTime'] ?? shift['startLocal']) === null),
  end_time: stamp(shift['endTime'] ?? shift['endLocal']),
  end_time_tbd: String((shift['endTime'] ?? shift['endLocal']) === null),
  pay_rate: number(shift['payRate']),
  confirmed: shift['confirmed'] ? 'yes' : 'no',
  status: String(shift['status']).toLowerCase(),
  created_at: stamp(shift['createdAt']),
  modified_at: stamp(shift['modifiedAt']),
});
