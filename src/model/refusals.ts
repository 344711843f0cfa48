import { ObjectType } from 'type-graphql';
import { field, objectWith } from './shapes.ts';

@ObjectType({ description: 'Errors of one input field.', simpleResolvers: true })
class FieldError extends objectWith({
  field: field.text('Name of the field; nested ones with dots.'),
  messages: field.of([String])('What is wrong with the field.'),
}) {}

@ObjectType()
export abstract class RefusalFields extends objectWith({
  code: field.text(
    'Code of the failure, as in `extensions.code` of an error: VALIDATION_FAILED, NOT_FOUND, CLASH and so on.',
  ),
  message: field.text('Description of the failure.'),
  errors: field.of([FieldError])('Every wrong field for VALIDATION_FAILED, otherwise empty.'),
}) {}

@ObjectType({ description: 'Refusal of one of several new rows or changes.', simpleResolvers: true })
class CreateError extends RefusalFields {}

/** The field of a result that says why there is no row. */
export const error = field.of(CreateError).orNull('The refusal; null if there was none.');
