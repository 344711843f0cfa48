import Type from 'typebox';
import type { CustomFieldRow } from '../db/custom-field-definitions.ts';
import { CustomFieldType } from '../generated/prisma/enums.ts';
import * as definitions from '../services/custom-field-definitions.ts';
import { oneOf } from '../validation/schemas.ts';
import { answer, envelope } from './envelopes.ts';
import { textSchema, versionSchema } from './formats.ts';
import { route, type RestApp } from './route.ts';
import { OfVersion } from './versions.ts';
import { viewOf } from './views.ts';

const noun = { tag: 'Custom fields', isExtension: true } as const;

export const { schema: CustomFieldDefinitionView, serialize: serializeDefinition } = viewOf<CustomFieldRow>(
  'CustomField',
)({
  uuid: textSchema('UUID of the field: `field_uuid` of its values.'),
  name: textSchema('Display name, unique in the business.'),
  type: oneOf(Object.values(CustomFieldType), 'Type of the values.'),
  options: Type.Array(Type.String(), { description: 'Options of a select, in order; empty for other types.' }),
  sort: Type.Integer({ description: 'Position in the form, lowest first.' }),
  version: versionSchema,
});

const oneField = (row: CustomFieldRow, message?: string) =>
  new OfVersion(row, answer(serializeDefinition(row), message));

export function customFieldDefinitionRoutes(app: RestApp): void {
  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/custom_fields',
    calls: definitions.list,
    summary: 'List the custom fields of the business in the order of its form',
    response: envelope(Type.Array(CustomFieldDefinitionView)),
    handle: async (scope) => answer((await definitions.list(scope, {})).map(serializeDefinition)),
  });

  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/custom_fields/:uuid',
    calls: definitions.get,
    operationId: 'customFields.get',
    summary: 'Read one custom field',
    params: definitions.customFieldParams,
    response: envelope(CustomFieldDefinitionView),
    etag: 'bytes',
    handle: async (scope, { params }) => oneField(await definitions.get(scope, params)),
  });

  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/custom_fields',
    calls: definitions.create,
    summary: 'Create a custom field',
    conflicts: true,
    body: definitions.newCustomField,
    status: 201,
    created: '/v1/custom_fields/:uuid',
    response: envelope(CustomFieldDefinitionView),
    etag: 'row',
    handle: async (scope, { body }) => oneField(await definitions.create(scope, body), 'Custom field created.'),
  });

  route(app, {
    ...noun,
    method: 'PUT',
    url: '/v1/custom_fields/:uuid',
    calls: definitions.update,
    summary: 'Change a custom field',
    description:
      'Changes only the fields sent. Leaving out an option that events use is refused with 409 and a count in `in_use`, unless `replace_options` or `drop_values` says what happens to its values.',
    conflicts: true,
    params: definitions.customFieldParams,
    body: definitions.customFieldChanges,
    response: envelope(CustomFieldDefinitionView),
    etag: 'row',
    ifMatch: true,
    handle: async (scope, { params, body, precondition }) =>
      oneField(await definitions.update(scope, { ...params, ...precondition, ...body }), 'Custom field updated.'),
  });

  route(app, {
    ...noun,
    method: 'DELETE',
    url: '/v1/custom_fields/:uuid',
    calls: definitions.remove,
    summary: 'Delete a custom field',
    description:
      'Answers with its last state. Refused with 409 and a count in `in_use` while events have values for it, unless `drop_values=true` deletes those as well.',
    conflicts: true,
    params: definitions.customFieldParams,
    query: definitions.customFieldRemoval,
    response: envelope(CustomFieldDefinitionView),
    ifMatch: true,
    handle: async (scope, { params, query, precondition }) => {
      const removed = await definitions.remove(scope, { ...params, ...query, ...precondition });
      return answer(serializeDefinition(removed), 'Custom field deleted.');
    },
  });
}
