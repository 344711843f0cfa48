import Type from 'typebox';
import type { BusinessRow } from '../db/businesses.ts';
import { Plan, Weekday } from '../generated/prisma/enums.ts';
import * as businesses from '../services/businesses.ts';
import { oneOf } from '../validation/schemas.ts';
import { answer, envelope } from './envelopes.ts';
import { textSchema, versionSchema } from './formats.ts';
import { route, type RestApp } from './route.ts';
import { OfVersion } from './versions.ts';
import { viewOf } from './views.ts';

const noun = { tag: 'Business', isExtension: true } as const;

const { schema: BusinessView, serialize: serializeBusiness } = viewOf<BusinessRow>('Business')({
  id: Type.Integer({ description: 'Business id.' }),
  name: textSchema('Name of the business.'),
  plan: oneOf(Object.values(Plan), 'Plan, which sets the requests per minute.'),
  timezone: textSchema(
    'IANA time zone of the business: whose clocks say what today is where no zone of an event is meant.',
  ),
  week_start: oneOf(Object.values(Weekday), 'First day of the week.'),
  unique_resource_ids: Type.Boolean({
    description: 'Whether no two events that are not deleted may have the same `resource_id`.',
  }),
  drop_deadline_hours: Type.Union([Type.Integer(), Type.Null()], {
    description: businesses.settingTexts.dropDeadlineHours,
  }),
  admins_drop: Type.Boolean({ description: businesses.settingTexts.adminsDrop }),
  reminder_hours: Type.Array(Type.Integer(), { description: businesses.settingTexts.reminderHours }),
  approves_swaps: Type.Boolean({ description: businesses.settingTexts.approvesSwaps }),
  waitlist_auto_hours: Type.Integer({ description: businesses.settingTexts.waitlistAutoHours }),
  rounding_minutes: Type.Union([Type.Integer(), Type.Null()], {
    description: businesses.settingTexts.roundingMinutes,
  }),
  rounds_in_favour: Type.Boolean({ description: businesses.settingTexts.roundsInFavour }),
  overtime_after_hours: Type.Union([Type.Integer(), Type.Null()], {
    description: businesses.settingTexts.overtimeAfterHours,
  }),
  printed_codes: Type.Boolean({ description: businesses.settingTexts.printedCodes }),
  always_tells_late: Type.Boolean({ description: businesses.settingTexts.alwaysTellsLate }),
  strict_queries: Type.Boolean({
    description:
      'Whether query parameters that a route does not know are refused with 422, instead of named in the header `Callboard-Ignored-Parameters`.',
  }),
  rest_hours: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Hours of rest that two shifts of a person must leave between them; null: not checked.',
  }),
  weekly_hours: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Hours that a person may work in a week of the business; null: not checked.',
  }),
  version: versionSchema,
});

const ofBusiness = (row: BusinessRow, message?: string) => new OfVersion(row, answer(serializeBusiness(row), message));

export function businessRoutes(app: RestApp): void {
  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/business',
    calls: businesses.get,
    summary: 'Read the business of the caller with its settings',
    etag: 'row',
    response: envelope(BusinessView),
    handle: async (scope) => ofBusiness(await businesses.get(scope, {})),
  });

  route(app, {
    ...noun,
    method: 'PUT',
    url: '/v1/business',
    calls: businesses.update,
    summary: 'Change the settings of the business',
    conflicts: true,
    etag: 'row',
    ifMatch: true,
    body: businesses.businessChanges,
    response: envelope(BusinessView),
    handle: async (scope, { body, precondition }) =>
      ofBusiness(await businesses.update(scope, { ...body, ...precondition }), 'Settings changed.'),
  });
}
