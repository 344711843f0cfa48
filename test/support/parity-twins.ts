import type { Renames } from './parity.ts';
import { resources, restResources, type AnyResource } from './resources.ts';

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
  start_date_time: 'startTime',
  end_date_time: 'endTime',
  created: 'createdAt',
  updated: 'modifiedAt',
  staff_needed_count: 'staffNeeded',
  count: 'staffNeeded',
  payrate: 'payRate',
  payrate_unit: 'payUnit',
  'work_shifts.start_time_tbd': 'start.tbd',
  'work_shifts.end_time_tbd': 'end.tbd',
};

/** Renamed inputs: headers in REST are arguments in GraphQL. */
export const renamedInput: Renames = { 'Idempotency-Key': 'idempotencyKey', 'If-Match': 'version' };

const page: Renames = {
  'data.current_page': 'pageInfo.page',
  'data.per_page': 'pageInfo.perPage',
  'data.last_page': 'pageInfo.lastPage',
  'data.total': 'totalCount',
  'data.data': 'nodes',
};
const eventFilter: Renames = { status: 'filter.statuses', sort_order: 'sort.order' };
const single: Renames = { 'data.event': '' };

/** The twin of every route, by its operation. */
export const twins: Readonly<Record<string, Twin>> = {
  'tokens.login': { field: 'login' },
  'tokens.revokeUsed': { field: 'logout' },
  'tokens.revokeAllOwn': { field: 'logoutEverywhere' },
  'apiKeys.list': { field: 'apiKeys' },
  'apiKeys.create': { field: 'createApiKey' },
  'apiKeys.revoke': { field: 'revokeApiKey', takes: { keyId: 'id' } },
  'apiKeys.revokeAll': { field: 'revokeAllApiKeys' },
  'events.list': { field: 'events', gives: page, takes: eventFilter },
  'events.listEarlier': { field: 'events', gives: page, takes: eventFilter },
  'events.get': { field: 'event', gives: single },
  'events.getEarlier': { field: 'event', gives: single },
  'events.create': { field: 'createEvent' },
  'events.update': { field: 'updateEvent', takes: { override_reason: 'override.reason' } },
  'workShifts.listOfEvent': {
    field: 'event.workShiftsConnection',
    gives: { ...page, event_name: 'event.title', start_time_tbd: 'start.tbd', end_time_tbd: 'end.tbd' },
    takes: { event_uuid: 'uuid' },
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
  ...Object.fromEntries(restResources.flatMap(twinsOf)),
};

/** The twins of the routes of a plain resource. */
function twinsOf({ list, noun, model, operations }: AnyResource): [string, Twin][] {
  const { get } = operations;
  return [
    [operations.list.operation.name, { field: list }],
    ...(get ? [[get.operation.name, { field: noun }] satisfies [string, Twin]] : []),
    [operations.create.operation.name, { field: `create${model}` }],
    [operations.update.operation.name, { field: `update${model}` }],
    [operations.remove.operation.name, { field: `delete${model}` }],
  ];
}

/** The root fields of a plain resource. */
function fieldsOf({ list, noun, model, operations }: AnyResource): string[] {
  return [
    `Query.${list}`,
    ...(operations.get ? [`Query.${noun}`] : []),
    ...each('Mutation.*', `create${model} update${model} delete${model}`),
  ];
}

const each = (owner: string, names: string): string[] => names.split(' ').map((name) => owner.replace('*', name));

/**
 * THE exceptions, by their reasons: `answer x` is in answers of REST alone, `x(y)` an argument and `X.y` a field of
 * GraphQL alone. Types that no answer of REST leads to need no mention: their root fields have one.
 */
export const exceptions: Readonly<Record<string, readonly string[]>> = {
  'GraphQL tells failure by `errors`, and success by answering': ['answer success', 'answer message'],
  'who is calling: the contract has no such route': ['Query.viewer'],
  'the rate limit: REST sends it in headers': ['Query.rateLimit'],
  'staffing is managed in GraphQL alone': [
    ...each('Mutation.*', 'createCallTime updateCallTime deleteCallTime assignShift assignShifts updateShift'),
    ...each('Mutation.*', 'confirmShift unconfirmShift declineShift cancelShift deleteShift copyEvent'),
  ],
  'so is what staffing stands on': [
    ...resources.filter(({ url }) => url === undefined).flatMap(fieldsOf),
    'Query.customFieldDefinitions',
    ...each('Mutation.*', 'createCustomField updateCustomField deleteCustomField setCustomFieldValues'),
  ],
  'the contract has no audit trail': ['Query.auditEntries'],
  'the contract knows no change of a password': each('Mutation.*', 'changePassword resetPassword'),
  "staff and clients have no part in the contract's events and shifts": each('Query.*', 'myShifts myEvents'),
  'figures that no staffing API has': [
    ...each('Query.*', 'coverage labourCost conflicts'),
    ...each('Event.*', 'coverage labourCost'),
    ...each('CallTime.*', 'coverage labourCost'),
  ],
  'time three ways: the contract has wall-clock times alone': [
    ...each('Event.*', 'startsAt endsAt start end durationMinutes'),
    ...each('CallTime.*', 'startsAt endsAt start end durationMinutes'),
    ...each('WorkShift.*', 'startsAt endsAt durationMinutes'),
    ...each('ZonedTime.*', 'local iso utc timezone dst'),
  ],
  'a graph has edges, each with what it is told apart by': [
    ...each('Event.*', 'client callTimesConnection customFieldsConnection'),
    ...each('CallTime.*', 'event workShifts workShiftsConnection'),
    ...each('WorkShift.*', 'id callTime callTimeId positionId user userId'),
    ...each('User.*', 'shifts shiftsConnection'),
  ],
  'the contract shows no stamps of a call time': each('CallTime.*', 'createdAt modifiedAt'),
  "the contract's answers are closed: REST tells the version in the header ETag": [
    ...['Event', 'CallTime', 'WorkShift', 'User'].map((type) => `${type}.version`),
  ],
  'overrides came with the managing of staffing': ['WorkShift.overrideReason'],
  'pages by cursor, and what a client need not reckon itself': [
    'EventConnection.edges',
    ...each('PageInfo.*', 'hasNextPage hasPreviousPage startCursor endCursor'),
    ...each('events(*)', 'first after'),
    ...each('event.workShiftsConnection(*)', 'first after'),
    ...each('users(*)', 'first after'),
  ],
  "filters for dashboards, beyond the contract's": [
    ...each('events(filter.*)', 'startsFrom startsTo dateFrom dateTo text clientId city state staffId positionId'),
    ...each('events(filter.*)', 'customField.fieldUuid customField.value coverageBelow updatedSince'),
    'events(sort.by)',
    ...each('event.workShiftsConnection(filter.*)', 'statuses userId positionId confirmed'),
  ],
};

/** Output fields whose types differ, by reason. */
export const otherTypes: Readonly<Record<string, readonly string[]>> = {
  "the contract's earlier shape prints a pay rate as text; it is one number here": [
    'GET /v1/objects/events/{uuid} data.call_times.payrate',
  ],
  'it is always the same text, which makes no enum': ['POST /v1/auth/login data.token_type'],
};

/** Input fields whose types differ, by reason. */
export const otherInputTypes: Readonly<Record<string, readonly string[]>> = {
  'a tag is text in which the version stands': [
    'PUT /v1/events/{uuid} If-Match',
    'PUT /api/v1/users/{id} If-Match',
    'DELETE /api/v1/users/{id} If-Match',
    ...restResources.flatMap(({ url }) => [`PUT ${url}/{id} If-Match`, `DELETE ${url}/{id} If-Match`]),
  ],
};
