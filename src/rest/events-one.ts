import type { CallScope } from '../access/scope.ts';
import type { EventRow } from '../fields/events.ts';
import { answer } from './envelopes.ts';
import { serializeFullEvents } from './events-full.ts';
import { OfVersion } from './versions.ts';

/** The answer about one whole event. */
export async function oneFullEvent(scope: CallScope, event: EventRow, message?: string) {
  const serialize = await serializeFullEvents(scope, [event]);
  return new OfVersion(event, answer(serialize(event), message));
}
