import Type from 'typebox';
import { limits } from '../config/limits.ts';
import { assignInput, overrideInput, shiftChanges } from '../services/work-shifts-input.ts';
import { closedObject, nullable } from '../validation/schemas.ts';

/*
 * Bodies that can break a rule of staffing. What the service calls `override.reason` is `override_reason` in REST, as in a
 * change of an event.
 */

export const overrideProperty = { overrideReason: Type.Optional(nullable(overrideInput.properties.reason)) };

export const overrideErrorNames = { 'override.reason': 'override_reason', override: 'override_reason' };

/** Translates the reason of an override. Null and a missing reason are no override. */
export const readOverride = <Body extends { overrideReason?: string | null }>({ overrideReason, ...rest }: Body) => ({
  ...rest,
  override: overrideReason === undefined || overrideReason === null ? null : { reason: overrideReason },
});

/** The same for input that had no override before: its idempotency keys go on to hold. */
export const readNewOverride = <Body extends { overrideReason?: string | null }>({ overrideReason, ...rest }: Body) =>
  overrideReason === undefined || overrideReason === null ? rest : { ...rest, override: { reason: overrideReason } };

const { override: _assign, ...assignment } = assignInput.properties;
const { override: _change, ...change } = shiftChanges.properties;

export const assignBody = closedObject({ ...assignment, ...overrideProperty });

export const shiftChangesBody = closedObject({ ...change, ...overrideProperty });

export const assignManyBody = closedObject({
  inputs: Type.Array(assignBody, {
    maxItems: limits.namedItemsMax,
    description: 'The assignments, made one after the other.',
  }),
});

/** Translates the inputs of a batch. One that is no object stays as it is, so that the operation refuses it. */
export const readInputs = <Body extends object>(
  { inputs }: { inputs: readonly Body[] },
  readOne: (body: Body) => object,
) => ({
  inputs: Array.isArray(inputs) ? inputs.map((each: Body) => (isObject(each) ? readOne(each) : each)) : (inputs as []),
});

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
