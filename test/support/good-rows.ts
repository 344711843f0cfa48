import { columnOf, registry, type TenantModel } from '../../src/db/registry.ts';
import { newFields, resources, type AnyResource, type ResourceModel } from './resources.ts';

/** SQL expressions by column. */
type Row = Record<string, string>;

const hours = {
  start_local: `'2026-07-01 12:00'`,
  starts_at: `'2026-07-01 12:00Z'`,
  end_local: `'2026-07-01 20:00'`,
  ends_at: `'2026-07-01 20:00Z'`,
};

const rowOf = (resource: AnyResource): Row => {
  const fields = Object.entries(newFields(resource, 'Lead'));
  return { id: '1', ...Object.fromEntries(fields.map(([field, value]) => [columnOf(field), `'${value}'`])) };
};

const resourceRows = Object.fromEntries(resources.map((each) => [each.model, rowOf(each)])) as Record<
  ResourceModel,
  Row
>;

const rows = {
  Business: { name: `'Acme'`, plan: `'free'` },
  User: {
    id: '1',
    name: `'Ann'`,
    first_name: `'Ann'`,
    last_name: `''`,
    email: `'Ann.BUSINESS@example.com'`,
    role: `'staff'`,
    password_hash: `'$argon2id$'`,
  },
  PersonalToken: { user_id: '1', jti: 'gen_random_uuid()', expires_at: `now() + interval '1 hour'` },
  Session: {
    user_id: '1',
    public_id: `'session.BUSINESS'`,
    secret_hash: `decode(repeat('00', 32), 'hex')`,
    expires_at: `now() + interval '1 hour'`,
  },
  Mail: { user_id: '1', kind: `'offer'`, subject_id: '1', occasion: `'sent 1'` },
  MailCursor: { revision: '1' },
  Invitation: { user_id: '1', secret_hash: `sha256('BUSINESS')`, expires_at: `now() + interval '1 hour'` },
  ApiKey: {
    public_id: `'key.BUSINESS'`,
    name: `'key'`,
    secret_hash: `decode(repeat('00', 32), 'hex')`,
    last_four: `'abcd'`,
  },
  Feed: {
    public_id: `lpad('BUSINESS', 12, '0')`,
    kind: `'business'`,
    name: `'All'`,
    user_id: '1',
    secret_hash: `decode(repeat('00', 32), 'hex')`,
  },
  Screen: { name: `'Lobby'`, names: `'short'`, claimable_until: 'now()', created_by_id: '1' },
  ...resourceRows,
  Event: { id: '1', title: `'Gala'`, timezone: `'UTC'`, ...hours },
  EventStaffing: {
    event_id: '1',
    needed: '0',
    assigned: '0',
    confirmed: '0',
    filled: '0',
    shifts: '0',
    unpriced_shifts: '0',
    unpriced_open: '0',
    planned_cents: '0',
    confirmed_cents: '0',
    open_cents: '0',
  },
  PositionStaffing: {
    event_id: '1',
    position_id: '1',
    needed: '0',
    assigned: '0',
    confirmed: '0',
    filled: '0',
    shifts: '0',
    planned_cents: '0',
    confirmed_cents: '0',
    open_cents: '0',
    unpriced_shifts: '0',
    unpriced_open: '0',
    priced_rate: '0',
    priced_unit: `'hour'`,
  },
  PositionRate: { id: '1', position_id: '1', ends_at: `'2026-07-01 10:00Z'`, pay_rate: '1', pay_unit: `'hour'` },
  CallTime: { id: '1', event_id: '1', position_id: '1', skill_level_id: '1', staff_needed: '1', ...hours },
  WorkShift: { id: '1', event_id: '1', call_time_id: '1', position_id: '1', user_id: '1', ...hours },
  Attendance: {
    id: `(SELECT max(id) FROM work_shifts WHERE business_id = BUSINESS)`,
    uuid: 'gen_random_uuid()',
    event_id: '1',
  },
  AttendanceAttempt: { event_id: '1', user_id: '1', wrong: '1' },
  Offer: { id: '1', event_id: '1', call_time_id: '1', mode: `'first_come'`, expires_at: `now() + interval '1 day'` },
  OfferRecipient: {
    offer_id: '1',
    event_id: '1',
    call_time_id: '1',
    user_id: '1',
    state: `'sent'`,
    expires_at: `now() + interval '1 day'`,
  },
  AvailabilityPattern: {
    user_id: '1',
    rule: `'available'`,
    weekday: `'monday'`,
    start_time: `'09:00'`,
    end_time: `'17:00'`,
    timezone: `'UTC'`,
  },
  AvailabilityException: {
    user_id: '1',
    rule: `'unavailable'`,
    starts_at: `'2030-06-01 00:00Z'`,
    ends_at: `'2030-06-02 00:00Z'`,
  },
  ShiftSwap: {
    event_id: '1',
    work_shift_id: '1',
    from_user_id: '1',
    state: `'requested'`,
    expires_at: `now() + interval '1 day'`,
  },
  UserQualification: { id: '1', user_id: '1', qualification_id: '1', level: '3', valid_until: `'2027-01-31'` },
  Requirement: { id: '1', position_id: '1', qualification_id: '1' },
  CustomField: { id: '1', name: `'Colour'`, type: `'text'`, options: `'{}'` },
  CustomFieldValue: { event_id: '1', custom_field_id: '1', value: `'red'` },
  IdempotencyKey: { key: `'k'`, operation: `'events.create'`, fingerprint: `decode(repeat('00', 32), 'hex')` },
  AuditEntry: { action: `'users.create'`, outcome: `'done'`, actor_kind: `'operator'` },
  BusinessRevision: { revision: '1' },
  Commit: { revision: '1' },
  RowChange: { batch: '1', kind: `'events'`, row_id: '1', change: `'insert'` },
  WebhookEndpoint: {
    id: '1',
    url: `'https://receiver.example/hook'`,
    types: `'{}'`,
    secret: `'sealed'`,
    revision: '1',
  },
  WebhookMessage: { id: '1', endpoint_id: '1', type: `'event.created'`, payload: `'{}'` },
  WebhookAttempt: { message_id: '1', duration_ms: '12' },
  EventTally: { status: `'active'`, delta: '1' },
  ListTally: { kind: `'active'`, position_id: '1', delta: '1' },
} satisfies Record<TenantModel, Row>;

const rowsByTable = new Map<string, Row>(
  Object.entries(rows).map(([model, row]) => [registry[model as TenantModel].table, row]),
);

/** Inserts the good row of a table, with changes. */
export function insertRow(table: string, changes: Row = {}, businessId = 1): string {
  const row: Row = {
    ...(table === 'businesses' ? { id: 'BUSINESS' } : { business_id: 'BUSINESS' }),
    ...rowsByTable.get(table),
    ...changes,
  };
  if (table === 'users') row['email_key'] ??= `lower(${row['email']})`;
  const values = Object.values(row).join(', ').replaceAll('BUSINESS', String(businessId));
  return `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${values})`;
}

/** Inserts the good row of each table that a row of this one may point to. */
export function insertRowsBefore(table: string, businessId = 1): string[] {
  const names = [...rowsByTable.keys()];
  return names.slice(0, names.indexOf(table)).map((name) => insertRow(name, {}, businessId));
}

/** Gives the good rows of a table another value, in the first column that fits. */
export function changeRow(table: string, where: string): string {
  const columns = Object.keys(rowsByTable.get(table) ?? {});
  const column = ['name', 'title', 'value'].find((each) => columns.includes(each));
  const other: Readonly<Record<string, string>> = {
    call_times: 'staff_needed = 2',
    work_shifts: 'pay_rate = 30',
    availability_patterns: `rule = 'preferred'`,
    availability_exceptions: `rule = 'preferred'`,
    user_qualifications: 'level = 4',
    requirements: 'min_level = 2',
    offers: `mode = 'approval'`,
    offer_recipients: `state = 'declined'`,
    shift_swaps: `message = 'Other'`,
    attendance: 'break_minutes = 15',
    attendance_attempts: 'wrong = 2',
  };
  return `UPDATE ${table} SET ${other[table] ?? `${column} = 'Other'`} WHERE ${where}`;
}
