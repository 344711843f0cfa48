import * as eventCopy from '../services/events-copy.ts';
import { eventParams } from '../services/events-input.ts';
import { closedObject } from '../validation/schemas.ts';
import { envelope } from './envelopes.ts';
import { FullEvent, oneFullEvent } from './events-full.ts';
import { route, type RestApp } from './route.ts';
import { overrideErrorNames, overrideProperty, readOverride } from './work-shifts-input.ts';

export function eventCopyRoutes(app: RestApp): void {
  route(app, {
    method: 'POST',
    url: '/v1/events/:uuid/copy',
    calls: eventCopy.copy,
    tag: 'Events',
    isExtension: true,
    summary: 'Copy an event, days later or earlier',
    description:
      'The copy is a draft with the call times and custom field values of the event. A deleted client and `resource_id` are left out. With `with_shifts`, clashing shifts are refused with 409 and `clashes`, unless `override_reason` gives a reason.',
    conflicts: true,
    params: eventParams,
    body: closedObject({ ...eventCopy.copyOptions.properties, ...overrideProperty }),
    example: { days: 7 },
    errorNames: overrideErrorNames,
    status: 201,
    created: '/v1/events/:uuid',
    response: envelope(FullEvent),
    etag: 'row',
    handle: async (scope, { params, body }) =>
      oneFullEvent(scope, await eventCopy.copy(scope, { ...params, ...readOverride(body) }), 'Event copied.'),
  });
}
