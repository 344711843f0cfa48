import { columnOf } from '../../src/db/registry.ts';
import { camelCase, type Renames } from './parity.ts';
import { resources, type AnyResource } from './resources.ts';

/* Facts that the parity test cannot derive. The test fails for entries that are not needed. */

export interface Twin {
  /** The root field, or the path to a field below it. */
  readonly field: string;
  /** Other names in the answer, by the end of REST's path. */
  readonly gives?: Renames;
  /** Other names of what it takes. */
  readonly takes?: Renames;
}

/** Other names everywhere: the contract's earlier words, and its flags, which are types here. */
export const renamedAnswers: Renames = {
  data: '',
  id: 'databaseId',
  client_id: 'client.databaseId',
  business_id: 'business.databaseId',
  position: 'position.title',
  position_id: 'position.databaseId',
  skill_level_id: 'skillLevel.databaseId',
  qualification_id: 'qualification.databaseId',
  start_date_time: 'startTime',
  end_date_time: 'endTime',
  created: 'createdAt',
  updated: 'modifiedAt',
  staff_needed_count: 'staffNeeded',
  count: 'staffNeeded',
  payrate: 'payRate',
  payrate_unit: 'payUnit',
  'rates.starts_at': 'start.iso',
  'work_shifts.start_time_tbd': 'start.tbd',
  'work_shifts.end_time_tbd': 'end.tbd',
};

/** Renamed inputs: headers in REST are arguments in GraphQL. */
export const renamedInput: Renames = {
  'Idempotency-Key': 'idempotencyKey',
  'If-Match': 'version',
  uuid: 'id',
};

const page: Renames = {
  'data.current_page': 'pageInfo.page',
  'data.per_page': 'pageInfo.perPage',
  'data.last_page': 'pageInfo.lastPage',
  'data.total': 'totalCount',
  'data.data': 'nodes',
};
/** GraphQL shows the key beside its secret, as an object. */
const newKey: Renames = {
  'data.id': 'apiKey.publicId',
  ...Object.fromEntries(
    ['name', 'lastFour', 'createdAt', 'lastUsedAt', 'scopes', 'expiresAt'].map((name) => [
      `data.${columnOf(name)}`,
      `apiKey.${name}`,
    ]),
  ),
};
const earlierFilter: Renames = { status: 'filter.statuses', sort_order: 'sort.order' };
const filterNames =
  'starts_from starts_to runs_from runs_to date_from date_to resource_id client_id city state staff_id position_id';
const eventFilter: Renames = {
  ...earlierFilter,
  sort_by: 'sort.by',
  search: 'filter.text',
  custom_field_uuid: 'filter.customField.fieldId',
  custom_field_value: 'filter.customField.value',
  ...Object.fromEntries(
    `${filterNames} coverage_below updated_since`.split(' ').map((name) => [name, `filter.${camelCase(name)}`]),
  ),
};
const single: Renames = { 'data.event': '' };

/** The twin of every route, by its operation. */
export const twins: Readonly<Record<string, Twin>> = {
  'tokens.login': { field: 'login' },
  'tokens.revokeUsed': { field: 'logout' },
  'tokens.revokeAllOwn': { field: 'logoutEverywhere' },
  'apiKeys.list': { field: 'apiKeys', gives: { 'data.id': 'publicId' } },
  'apiKeys.create': { field: 'createApiKey', gives: newKey },
  'apiKeys.revoke': { field: 'revokeApiKey', takes: { keyId: 'id' } },
  'apiKeys.revokeAll': { field: 'revokeAllApiKeys' },
  'events.list': { field: 'events', gives: page, takes: eventFilter },
  'events.listEarlier': { field: 'events', gives: page, takes: earlierFilter },
  'events.get': { field: 'event', gives: single },
  'events.getEarlier': { field: 'event', gives: single },
  'events.create': { field: 'createEvent', takes: { override_reason: 'override.reason' } },
  'events.update': { field: 'updateEvent.event', takes: { override_reason: 'override.reason' } },
  'workShifts.listOfEvent': {
    field: 'event.workShiftsConnection',
    gives: { ...page, event_name: 'event.title', start_time_tbd: 'start.tbd', end_time_tbd: 'end.tbd' },
    takes: { event_uuid: 'id' },
  },
  'users.list': {
    field: 'users',
    gives: {
      data: 'nodes',
      meta: '',
      'meta.current_page': 'pageInfo.page',
      'meta.per_page': 'pageInfo.perPage',
      'meta.total': 'totalCount',
    },
  },
  'users.get': { field: 'user' },
  'users.create': { field: 'createUser' },
  'users.update': { field: 'updateUser' },
  'users.delete': { field: 'deleteUser' },
  ...Object.fromEntries(resources.flatMap(twinsOf)),
};

/** The twins of the routes of a plain resource. */
function twinsOf({ list, noun, model, operations }: AnyResource): [string, Twin][] {
  return [
    [operations.list.operation.name, { field: list }],
    [operations.get.operation.name, { field: noun }],
    [operations.create.operation.name, { field: `create${model}` }],
    [operations.update.operation.name, { field: `update${model}` }],
    [operations.remove.operation.name, { field: `delete${model}` }],
  ];
}

const each = (owner: string, names: string): string[] => names.split(' ').map((name) => owner.replace('*', name));

/**
 * THE exceptions, by their reasons: `answer x` is in answers of REST alone, `x(y)` an argument and `X.y` a field of
 * GraphQL alone. Types that no answer of REST leads to need no mention: their root fields have one.
 */
export const exceptions: Readonly<Record<string, readonly string[]>> = {
  'GraphQL tells failure by `errors`, and success by answering': ['answer success', 'answer message'],
  'what has moved with an event, and what that made of attendance, stands beside it in GraphQL': each(
    'answer data.*',
    'moved moved.call_times moved.work_shifts reworked reworked.shift_uuid reworked.minutes_before reworked.minutes_after',
  ),
  'GraphQL has selections': ['input fields'],
  'who is calling': ['Query.viewer'],
  'settings of the business, likewise': ['Query.business', 'Mutation.updateBusiness'],
  'the rate limit, which REST also sends in headers': ['Query.rateLimit'],
  'object identity is that of a graph: REST has a route for each kind of row': [
    ...each('Query.*', 'node nodes callTime callTimes workShift workShifts customFieldDefinition'),
    ...['Event', 'CallTime', 'User', 'CustomFieldValue', 'ApiKey'].map((type) => `${type}.id`),
    ...resources.map(({ model }) => `${model}.id`),
  ],
  'fields of routes beyond the contract, which are compared by operation': [
    ...each(
      'Mutation.*',
      'createCallTime updateCallTime changeCallTimes deleteCallTime assignShift assignShifts updateShift',
    ),
    ...each(
      'Mutation.*',
      'confirmShift unconfirmShift declineShift dropShift keepShift cancelShift deleteShift copyEvent',
    ),
    ...each('Mutation.*', 'createEvents updateEvents upsertEvent createUsers'),
    ...each('Mutation.*', 'moveShift moveShifts exchangeShifts confirmShifts cancelShifts'),
  ],
  'what staffing stands on, likewise': [
    'Query.customFieldDefinitions',
    ...each('Mutation.*', 'createCustomField updateCustomField deleteCustomField setCustomFieldValues'),
  ],
  'what people say of when they can work, likewise': [
    ...each('Query.*', 'availability availabilityPattern availabilityException'),
    ...['AvailabilityPattern', 'AvailabilityException'].flatMap((type) =>
      each('Mutation.*', `create${type} create${type}s update${type} delete${type}`),
    ),
    'User.availability',
  ],
  'webhooks, likewise': [
    ...each('Query.*', 'webhookEndpoints webhookEndpoint'),
    ...each('Mutation.*', 'createWebhookEndpoint updateWebhookEndpoint deleteWebhookEndpoint rotateWebhookSecret'),
    ...each('Mutation.*', 'disableWebhookEndpoint enableWebhookEndpoint sendTestWebhook'),
    ...each('Mutation.*', 'resendWebhookMessage resendWebhookMessages'),
  ],
  'who came, and what is paid, likewise': [
    ...each('Query.*', 'attendance checkInCode myScreenCheckInCode payroll'),
    ...each('Mutation.*', 'updateAttendance checkIn checkOut approveAttendance unlockCheckIn checkOnMyScreen'),
    'WorkShift.attendance',
  ],
  'what clients pay, likewise': each('CallTime.*', 'billRate billUnit'),
  'offers and swaps, likewise': [
    ...each('Query.*', 'offer offers offerRecipient offerRecipients openCallTimes'),
    ...each('Event.*', 'attendance offerRecipients shiftSwaps'),
    'CallTime.offerRecipients',
    ...each('Mutation.*', 'offerShift withdrawOffer acceptOffer declineOffer refuseOffer resendOffer claimCallTime'),
    'CallTime.claims',
    ...each('Query.*', 'shiftSwap shiftSwaps openSwaps swapOptions'),
    ...each('Mutation.*', 'requestSwap takeSwap approveSwap refuseSwap cancelSwap'),
  ],
  'qualifications that people hold and work requires, likewise': [
    ...each('Query.*', 'userQualification userQualifications qualificationsExpiring'),
    ...each(
      'Mutation.*',
      'createUserQualification createUserQualifications updateUserQualification deleteUserQualification',
    ),
    ...['CallTime.requirements', 'User.qualifications'],
  ],
  'calendar feeds, likewise': ['Query.feeds', ...each('Mutation.*', 'createFeed rotateFeed revokeFeed')],
  'screens, likewise': [
    ...each('Query.*', 'screens screen myScreen myScreenBoard'),
    ...each('Mutation.*', 'createScreenCode claimScreen approveScreen revokeScreen revokeMyScreen'),
  ],
  'the audit trail, the history and what has changed, likewise': [
    ...each('Query.*', 'auditEntries history changes revision'),
    ...['Event', 'WorkShift'].map((type) => `${type}.history`),
  ],
  'changes of passwords, likewise': each(
    'Mutation.*',
    'changePassword resetPassword forgetPassword setForgottenPassword',
  ),
  'mails, likewise': [
    'Query.mailedOffer',
    'Query.mailSettings',
    ...each('Mutation.*', 'answerMailedOffer unsubscribe updateMailSettings'),
  ],
  'invitations, likewise': each('Mutation.*', 'inviteUser inviteUsers claimInvitation'),
  'own log-ins, likewise': ['Query.mySessions', ...each('Mutation.*', 'revokeSession revokeOtherSessions')],
  'own events and shifts, likewise': each('Query.*', 'myShifts myEvents'),
  'reports and figures, likewise': [
    ...each('Query.*', 'coverage labourCost work conflicts candidates'),
    ...each('Event.*', 'coverage labourCost'),
    ...each('CallTime.*', 'coverage labourCost'),
  ],
  'time three ways: the contract has wall-clock times alone': [
    ...each('Event.*', 'startsAt endsAt start end durationMinutes'),
    ...each('CallTime.*', 'startsAt endsAt start end durationMinutes'),
    ...each('WorkShift.*', 'startsAt endsAt durationMinutes'),
    ...each('ZonedTime.*', 'local utc timezone dst'),
  ],
  'a graph has edges, each with what it is told apart by': [
    ...each('Event.*', 'callTimesConnection customFieldsConnection'),
    ...each(
      'Business.*',
      'id name plan timezone weekStart uniqueResourceIds strictQueries restHours weeklyHours waitlistAutoHours dropDeadlineHours adminsDrop reminderHours roundingMinutes roundsInFavour overtimeAfterHours printedCodes alwaysTellsLate approvesSwaps version',
    ),
    ...each('CallTime.*', 'event workShifts workShiftsConnection'),
    ...each('WorkShift.*', 'id databaseId callTime user'),
    ...each('User.*', 'shifts shiftsConnection'),
  ],
  'the contract shows no stamps of a call time': each('CallTime.*', 'createdAt modifiedAt'),
  "the contract's answers are closed: REST tells the version in the header ETag": [
    ...['Event', 'CallTime', 'WorkShift', 'User'].map((type) => `${type}.version`),
  ],
  'what came with the managing of staffing': each(
    'WorkShift.*',
    'overrideReason cancelReason moveReason confirmedAt declinedAt dropRequestedAt canceledAt payUnit',
  ),
  'why a call time stands beside its event, likewise': ['CallTime.overrideReason'],
  "the contract's shape of users has neither a phone number, nor whether they can log in and get mails: `GET /v1/staff` shows them":
    each('User.*', 'phone canLogIn mailFault'),
  'pages by cursor, and what a client need not reckon itself': [
    ...['EventConnection', 'WorkShiftConnection', 'UserConnection'].map((type) => `${type}.edges`),
    ...each('PageInfo.*', 'hasNextPage hasPreviousPage startCursor endCursor'),
    ...each('events(*)', 'first after last before'),
    ...each('event.workShiftsConnection(*)', 'first after last before sort.order'),
    ...each('users(*)', 'first after last before'),
    'Query.staff',
  ],
  "filters for dashboards, beyond the contract's: `GET /v1/work_shifts` has them": [
    ...each(
      'event.workShiftsConnection(filter.*)',
      'statuses userId positionId confirmed declined from to dateFrom dateTo clientId eventId callTimeId canceledWithinHours',
    ),
  ],
};

/** Output fields whose types differ, by reason. */
export const otherTypes: Readonly<Record<string, readonly string[]>> = {
  "the contract's earlier shape prints a pay rate as text; it is a decimal here": [
    'GET /v1/objects/events/{uuid} data.call_times.payrate',
  ],
  'it is always the same text, which makes no enum': ['POST /v1/auth/login data.token_type'],
  'an instant with the offset of its zone is text there': [
    ...each('* /v1/positions data.rates.starts_at', 'GET POST'),
    ...each('* /v1/positions/{id} data.rates.starts_at', 'GET PUT DELETE'),
  ],
};

/** Input fields that only REST requires in its schema: a create and a change share the type in GraphQL, and the service asks for them. */
export const requiredInRest = [
  'POST /v1/skill_levels name',
  'POST /v1/qualifications name',
  'POST /api/v1/users password',
];

/** Input fields whose types differ, by reason. */
export const otherInputTypes: Readonly<Record<string, readonly string[]>> = {
  'a tag is text in which the version stands': [
    'PUT /v1/events/{uuid} If-Match',
    'PUT /api/v1/users/{id} If-Match',
    'DELETE /api/v1/users/{id} If-Match',
    ...resources.flatMap(({ url }) => [`PUT ${url}/{id} If-Match`, `DELETE ${url}/{id} If-Match`]),
  ],
  'a list of inputs': [
    'POST /v1/events call_times',
    'PUT /v1/positions/{id} announced_rates',
    'PUT /v1/positions/{id} requirements',
  ],
};
