import { resources } from './resources.ts';
import { takeShare } from './share.mjs';

/* What the writes of changes.ts and creates.ts wait for, and a choice of them. */

/** Two names of each shape, all at night. A route's shape is in its name; that of a mutation is given. */
export function takeTwoOfEach(names: readonly string[], mutationShapeOf: (name: string) => string): string[] {
  const shapes = new Map<string, string[]>();
  for (const name of names) {
    const shape = name.match(/^[A-Z]+(?= )|\/batch|\/actions/g)?.join(' ') ?? mutationShapeOf(name);
    shapes.set(shape, [...(shapes.get(shape) ?? []), name]);
  }
  return [...shapes].flatMap(([shape, alike]) => takeShare(`safe retries: ${shape}`, alike, alike.length / 2));
}

const lockOfOffered = `SELECT 1 FROM events e JOIN offer_recipients r ON r.event_id = e.id WHERE r.uuid = $1 FOR UPDATE OF e`;

const lockOfSwapped = `SELECT 1 FROM events e JOIN shift_swaps w ON w.event_id = e.id WHERE w.uuid = $1 FOR UPDATE OF e`;

/** The row whose lock the change of each noun waits for. */
export const lockOf: Record<string, string> = {
  event: `SELECT 1 FROM events WHERE uuid = $1 FOR UPDATE`,
  callTime: `SELECT 1 FROM events e JOIN call_times c ON c.event_id = e.id WHERE c.uuid = $1 FOR UPDATE OF e`,
  workShift: `SELECT 1 FROM events e JOIN work_shifts s ON s.event_id = e.id WHERE s.uuid = $1 FOR UPDATE OF e`,
  ...Object.fromEntries(resources.map(({ noun, table }) => [noun, `SELECT 1 FROM ${table} WHERE id = $1 FOR UPDATE`])),
  customField: 'SELECT 1 FROM custom_fields WHERE uuid = $1 FOR UPDATE',
  ...Object.fromEntries(['offerRecipient', 'requestedPart', 'declinedPart'].map((noun) => [noun, lockOfOffered])),
  ...Object.fromEntries(['shiftSwap', 'takenSwap'].map((noun) => [noun, lockOfSwapped])),
  ...Object.fromEntries(
    ['attendance', 'presentAttendance'].map((noun) => [noun, 'SELECT 1 FROM work_shifts WHERE uuid = $1 FOR UPDATE']),
  ),
  availabilityPattern: `SELECT 1 FROM users u JOIN availability_patterns a ON a.user_id = u.id WHERE a.uuid = $1 FOR UPDATE OF u`,
  availabilityException: `SELECT 1 FROM users u JOIN availability_exceptions a ON a.user_id = u.id WHERE a.uuid = $1 FOR UPDATE OF u`,
  userQualification: 'SELECT 1 FROM user_qualifications WHERE id = $1 FOR UPDATE',
  user: 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE',
};

/** Tables that the first statement which writes of a create goes to. */
export const tableOf: Record<string, string> = {
  'events.create': 'events',
  'events.createMany': 'events',
  'events.upsert': 'events',
  'events.copy': 'events',
  'callTimes.create': 'call_times',
  'callTimes.changeMany': 'call_times',
  'callTimes.claim': 'offers',
  'offers.send': 'offers',
  'swaps.request': 'shift_swaps',
  'availabilityPatterns.create': 'availability_patterns',
  'availabilityPatterns.createMany': 'availability_patterns',
  'availabilityExceptions.createMany': 'availability_exceptions',
  'userQualifications.createMany': 'user_qualifications',
  'availabilityExceptions.create': 'availability_exceptions',
  'userQualifications.create': 'user_qualifications',
  'workShifts.assign': 'work_shifts',
  'workShifts.assignMany': 'work_shifts',
  ...Object.fromEntries(resources.map(({ operations, table }) => [operations.create.operation.name, table])),
  'customFields.create': 'custom_fields',
  'users.create': 'users',
  'users.createMany': 'users',
  'apiKeys.create': 'api_keys',
  'webhooks.create': 'webhook_endpoints',
  'screens.approve': 'screens',
  'feeds.create': 'feeds',
};
