import Type from 'typebox';
import type { CallScope } from '../access/scope.ts';
import * as values from '../services/custom-field-values.ts';
import { eventParams } from '../services/events-input.ts';
import * as events from '../services/events.ts';
import { CustomFieldView, serializeCustomField } from './custom-field-values-views.ts';
import { answer, envelope } from './envelopes.ts';
import { route, type RestApp } from './route.ts';
import { OfVersion } from './versions.ts';

const noun = { tag: 'Custom fields', isExtension: true } as const;

export function customFieldValueRoutes(app: RestApp): void {
  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/events/:uuid/custom_fields',
    calls: values.getByEvents,
    summary: 'List the custom field values of an event',
    params: eventParams,
    response: envelope(Type.Array(CustomFieldView)),
    etag: 'bytes',
    handle: async (scope, { params }) => valuesOf(scope, await events.get(scope, params)),
  });

  route(app, {
    ...noun,
    method: 'PUT',
    url: '/v1/events/:uuid/custom_fields',
    calls: values.set,
    summary: 'Set custom field values of an event',
    description:
      'All of the values sent, or none; fields that are not named keep theirs. Answers with all values of the event. The tag is that of the event. The list that was read may be sent back as well, in place of the object: `field_value` is the value, and `field_name` is ignored.',
    params: eventParams,
    body: values.valuesInput,
    writeBack: { prepare: takeValues },
    response: envelope(Type.Array(CustomFieldView)),
    etag: 'row',
    ifMatch: true,
    handle: async (scope, { params, body, precondition }) => {
      const event = await values.set(scope, { eventUuid: params.uuid, ...precondition, ...body });
      return valuesOf(scope, event, 'Custom field values set.');
    },
  });
}

/** Takes the list that a read shows, in place of the object or in it. */
function takeValues(sent: unknown): unknown {
  if (Array.isArray(sent)) return { values: sent.map(takeValue) };
  const { values: list, ...rest } = Object(sent) as { values?: unknown };
  return Array.isArray(list) ? { ...rest, values: list.map(takeValue) } : sent;
}

function takeValue(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || !('field_value' in sent) || 'value' in sent) return sent;
  const { field_value: value, field_name: _name, ...rest } = sent as Record<string, unknown>;
  return { ...rest, value };
}

async function valuesOf(scope: CallScope, event: { id: number; version: number }, message?: string) {
  const rows = await values.getByEvents(scope, { eventIds: [event.id] });
  return new OfVersion(event, answer(rows.map(serializeCustomField), message));
}
