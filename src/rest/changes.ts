import Type, { type Static, type TSchema } from 'typebox';
import type { CallScope } from '../access/scope.ts';
import type { CallTimeRow } from '../fields/call-times.ts';
import { numberedNouns, mapPlainKinds } from '../fields/catalogs.ts';
import { changeKindNames, type ChangeKind } from '../fields/change-kinds.ts';
import { changeOps, codesOf } from '../fields/codes.ts';
import type { EventRow } from '../fields/events.ts';
import type { AttendanceRow } from '../fields/attendance.ts';
import type { RecipientRow } from '../fields/offers.ts';
import type { SwapRow } from '../fields/swaps.ts';
import type { WorkShiftRow } from '../fields/work-shifts.ts';
import * as changes from '../services/changes.ts';
import { nullable, oneOf } from '../validation/schemas.ts';
import { FullCallTime, serializeFullCallTimes } from './call-times-full.ts';
import { exceptionView, patternView } from './availability.ts';
import { plainViews } from './catalogs-plain.ts';
import { CustomFieldDefinitionView, serializeDefinition } from './custom-field-definitions.ts';
import { answer, envelope } from './envelopes.ts';
import { FullEvent, serializeFullEvents } from './events-full.ts';
import { AttendanceView, serializeAttendance } from './attendance-views.ts';
import { OfferRecipientView, serializeRecipient } from './offers-views.ts';
import { serializeSwap, SwapView } from './swaps.ts';
import { ChangedPosition } from './positions.ts';
import { route, type RestApp } from './route.ts';
import { streamRoute } from './stream-route.ts';
import { serializeUserQualification, UserQualificationView } from './user-qualifications.ts';
import { FullUser, serializeFullUser } from './users-staff.ts';
import { FullShift, serializeFullShifts } from './work-shifts-full.ts';
import { titled } from './views.ts';

const ShownUser = titled('ChangedUser', { ...FullUser.properties, email: nullable(FullUser.properties.email) });

interface KindView {
  readonly schema: TSchema;
  /** Reads what belongs to many rows. The returned function serializes one of them. */
  readonly serialize: (scope: CallScope, rows: readonly object[]) => Promise<(row: object) => object>;
}

function view<Row extends object>(
  schema: TSchema,
  serialize: (scope: CallScope, rows: readonly Row[]) => Promise<(row: Row) => object> | ((row: Row) => object),
): KindView {
  return {
    schema,
    serialize: async (scope, rows) => (await serialize(scope, rows as Row[])) as (row: object) => object,
  };
}

const views: Readonly<Record<ChangeKind, KindView>> = {
  position: view(ChangedPosition.schema, () => ChangedPosition.serialize),
  ...mapPlainKinds(({ one }) => view(plainViews[one].schema, () => plainViews[one].serialize)),
  user: view(ShownUser, () => serializeFullUser as (row: object) => object),
  availabilityPattern: view(patternView.schema, () => patternView.serialize),
  availabilityException: view(exceptionView.schema, () => exceptionView.serialize),
  userQualification: view(UserQualificationView, () => serializeUserQualification),
  customField: view(CustomFieldDefinitionView, () => serializeDefinition),
  event: view<EventRow>(FullEvent, serializeFullEvents),
  callTime: view<CallTimeRow>(FullCallTime, serializeFullCallTimes),
  workShift: view<WorkShiftRow>(FullShift, serializeFullShifts),
  attendance: view<AttendanceRow>(AttendanceView, () => serializeAttendance),
  offerRecipient: view<RecipientRow>(OfferRecipientView, () => serializeRecipient),
  shiftSwap: view<SwapRow>(SwapView, () => serializeSwap),
};

const ChangeView = titled('Change', {
  kind: oneOf(changeKindNames, 'Kind of the row.'),
  op: oneOf(
    codesOf(changeOps),
    '`changed`: created or changed. `deleted`: the row is gone. `left`: the caller does not see the row any more. The tombstone of an event stands for its call times and shifts too.',
  ),
  id: Type.Integer({ description: 'Number of the row.' }),
  uuid: Type.Union([Type.String(), Type.Null()], {
    description: `UUID of the row; null for kinds that have none: ${numberedNouns}.`,
  }),
  row: Type.Unsafe<object | null>(
    Type.Union([...Object.values(views).map(({ schema }) => schema), Type.Null()], {
      description: 'The row as it is now, in the shape of its kind; null unless `op` is `changed`.',
    }),
  ),
});

const ChangePageView = titled('Changes', {
  changes: Type.Array(ChangeView, {
    description: 'One entry a row: parents before the rows that point to them, and tombstones last.',
  }),
  next_cursor: Type.String({ description: 'To be sent as `after` the next time, also if nothing has changed.' }),
  has_more: Type.Boolean({ description: 'Whether more has changed already.' }),
});

/** Serializes a page of changes, with a few statements for each kind of row. */
async function serializeChanges(
  scope: CallScope,
  { changes: entries, nextCursor, hasMore }: changes.ChangePage,
): Promise<Static<typeof ChangePageView>> {
  const serializers = await Promise.all(
    changeKindNames.map(async (kind) => {
      const rows = entries.flatMap((entry) => (entry.kind === kind && entry.row) || []);
      return [kind, rows.length === 0 ? null : await views[kind].serialize(scope, rows)] as const;
    }),
  );
  const serializerOf = new Map(serializers);
  return {
    changes: entries.map(({ kind, op, id, uuid, row }) => ({
      kind,
      op,
      id,
      uuid,
      row: row === null ? null : (serializerOf.get(kind)?.(row) ?? null),
    })),
    next_cursor: nextCursor,
    has_more: hasMore,
  };
}

export function changeRoutes(app: RestApp): void {
  route(app, {
    method: 'GET',
    url: '/v1/changes',
    calls: changes.list,
    tag: 'Changes',
    isExtension: true,
    cursorExpires: true,
    summary: 'List what has changed since a cursor',
    description:
      'Rows as they are now, and tombstones. Without `after`, it gives the cursor of now: take it before you read everything. A cursor that has expired gets 410 with the code `CURSOR_EXPIRED`: read everything again.',
    query: changes.changesInput,
    response: envelope(ChangePageView),
    handle: async (scope, { query }) => answer(await serializeChanges(scope, await changes.list(scope, query))),
  });
}

export function changeStreamRoutes(app: RestApp): void {
  streamRoute(app, {
    url: '/v1/changes/stream',
    calls: changes.list,
    operationId: 'changes.follow',
    tag: 'Changes',
    isExtension: true,
    cursorExpires: true,
    summary: 'Follow what changes, as a stream of events',
    description:
      'Server-sent events. Each event `changes` has a page as its data, in the shape that `GET /v1/changes` has in `data`, and the cursor behind it as its id: a client that comes back with `Last-Event-ID` misses nothing. The first page comes at once, even if it is empty. An event `failure` has the body of an error, and ends the stream. Opening a stream costs a request of the rate limit; keeping it open costs nothing.',
    query: changes.followedChanges,
    resumesAt: 'after',
    event: 'changes',
    response: ChangePageView,
    follow: changes.follow,
    serialize: async (scope, page) => ({ id: page.nextCursor, data: await serializeChanges(scope, page) }),
  });
}
