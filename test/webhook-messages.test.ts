import { describe, expect, test } from '@jest/globals';
import type { LoggedChange } from '../src/db/change-log.ts';
import type { LoggedTable } from '../src/db/registry.ts';
import { toWebhookMessages } from '../src/jobs/messages.ts';

/* What changes of rows become for the receivers of webhooks. */

const at = new Date('2026-11-20T17:00:00.123Z');
const uuid = '0b6e7b0e-5d0c-4b8f-9a3c-111111111111';
const eventUuid = '0b6e7b0e-5d0c-4b8f-9a3c-222222222222';

let changeId = 0n;

const changeOf = (table: LoggedTable, more: Partial<LoggedChange> = {}): LoggedChange => ({
  revision: 7n,
  changeId: ++changeId,
  at,
  actorKind: null,
  actorId: null,
  actorName: null,
  operation: null,
  requestId: null,
  table,
  rowId: 3,
  uuid: table === 'users' || table === 'custom_field_values' ? null : uuid,
  eventId: table === 'events' ? 3 : table === 'users' || table === 'custom_fields' ? null : 3,
  change: 'update',
  before: {},
  after: {},
  ...more,
});

const messagesOf = (...changes: LoggedChange[]) =>
  toWebhookMessages(changes, new Map([[3, eventUuid]])).map(({ type, payload }) => {
    const { data, ...head } = JSON.parse(payload) as { data: Record<string, unknown> };
    expect(head).toEqual({ type, timestamp: '2026-11-20T17:00:00.123Z' });
    return { type, ...data };
  });

const typesOf = (...changes: LoggedChange[]) => messagesOf(...changes).map(({ type }) => type);

describe('the type of a message', () => {
  test.each<[string, LoggedTable, Partial<LoggedChange>]>([
    ['event.created', 'events', { change: 'insert', before: null, after: { status: 'active', title: 'Gala' } }],
    ['event.updated', 'events', { after: { title: 'Gala' } }],
    ['event.updated', 'events', { after: { status: 'active' } }],
    ['event.canceled', 'events', { after: { status: 'canceled', modified_at: at } }],
    ['event.deleted', 'events', { after: { status: 'deleted' } }],
    ['event.deleted', 'events', { change: 'delete', after: null }],
    ['event.updated', 'custom_field_values', { change: 'insert', after: { value: 'x' } }],
    ['event.updated', 'custom_field_values', { change: 'delete', after: null }],
    ['call_time.created', 'call_times', { change: 'insert', after: { staff_needed: 2 } }],
    ['call_time.updated', 'call_times', { after: { staff_needed: 3 } }],
    ['call_time.deleted', 'call_times', { change: 'delete', after: null }],
    ['work_shift.assigned', 'work_shifts', { change: 'insert', after: { user_id: 4 } }],
    ['work_shift.assigned', 'work_shifts', { after: { user_id: 5, confirmed: false } }],
    ['work_shift.updated', 'work_shifts', { after: { pay_rate: 30 } }],
    ['work_shift.unconfirmed', 'work_shifts', { after: { confirmed: false } }],
    ['work_shift.confirmed', 'work_shifts', { after: { confirmed: true } }],
    ['work_shift.declined', 'work_shifts', { after: { status: 'canceled', declined_at: at } }],
    ['work_shift.canceled', 'work_shifts', { operation: 'workShifts.cancel', after: { status: 'canceled' } }],
    ['work_shift.deleted', 'work_shifts', { after: { status: 'deleted', confirmed: false } }],
    ['user.created', 'users', { change: 'insert', after: { name: 'Robin' } }],
    ['user.updated', 'users', { after: { role: 'admin' } }],
    ['user.deleted', 'users', { after: { deleted_at: '2026-11-20T17:00:00Z' } }],
    ['custom_field.created', 'custom_fields', { change: 'insert', after: { name: 'Size' } }],
    ['custom_field.updated', 'custom_fields', { after: { options: [] } }],
    ['custom_field.deleted', 'custom_fields', { change: 'delete', after: null }],
  ])('is %s for a change of %s', (type, table, change) => {
    expect(typesOf(changeOf(table, change))).toEqual([type]);
  });

  test('is none for positions and skill levels, and for changes that the API does not show', () => {
    expect(
      typesOf(
        changeOf('positions', { after: { title: 'Usher' } }),
        changeOf('skill_levels', { after: { name: 'Expert' } }),
        changeOf('users', { after: { updated_at: at } }),
        changeOf('work_shifts', { after: { version: 3, modified_at: at } }),
      ),
    ).toEqual([]);
  });
});

describe('the body of a message', () => {
  test('names the row, its event, the revision and the changed fields as REST spells them, and no values', () => {
    const change = changeOf('call_times', {
      before: { pay_rate: 20, start_local: '2026-12-05T16:00:00', version: 1 },
      after: { pay_rate: 30, start_local: '2026-12-05T17:00:00', starts_at: '2026-12-05T22:00:00Z', version: 2 },
    });
    expect(messagesOf(change)).toEqual([
      {
        type: 'call_time.updated',
        kind: 'callTime',
        uuid,
        event_uuid: eventUuid,
        revision: '7',
        fields: ['payrate', 'start_time'],
      },
    ]);
  });

  test('names a row without a UUID by its id, and an event by its UUID', () => {
    expect(
      messagesOf(
        changeOf('users', { after: { name: 'Robin Fields', first_name: 'Robin' } }),
        changeOf('custom_field_values', { after: { value: 'x' } }),
      ),
    ).toEqual([
      { type: 'user.updated', kind: 'user', id: 3, revision: '7', fields: ['name'] },
      { type: 'event.updated', kind: 'event', uuid: eventUuid, revision: '7', fields: ['custom_fields'] },
    ]);
  });
});

describe('changes of one commit', () => {
  const title = changeOf('events', { after: { title: 'Gala' } });
  const value = changeOf('custom_field_values', { change: 'insert', after: { value: 'x' } });

  test('of a row make one message of each type', () => {
    expect(messagesOf(title, value, value)).toEqual([
      { type: 'event.updated', kind: 'event', uuid, revision: '7', fields: ['title', 'custom_fields'] },
    ]);
  });

  test('make no update of a row that they create or delete', () => {
    const created = changeOf('events', { change: 'insert', after: {} });
    const deleted = changeOf('events', { change: 'delete', after: null });
    expect(typesOf(created, value)).toEqual(['event.created']);
    expect(typesOf(value, deleted)).toEqual(['event.deleted']);
  });

  test('are apart from those of other commits and rows', () => {
    expect(typesOf(title, { ...title, revision: 8n }, { ...title, rowId: 9 })).toHaveLength(3);
  });
});
