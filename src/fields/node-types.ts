import { mapPlainModels } from './catalogs.ts';

/*
 * The types of stored rows that GraphQL shows as nodes: each row has a global id. `key` is the part of the row that its
 * global id holds. `otherName` is the other name by which arguments may call the row: the one that REST has for it.
 */

type NodeKey = 'uuid' | 'number' | 'public id' | 'event and field';

interface NodeTypeFacts {
  readonly key: NodeKey;
  readonly otherName: 'uuid' | 'number' | 'public id' | null;
  /** The noun in descriptions. */
  readonly noun: string;
}

export const nodeTypes = {
  Business: { key: 'number', otherName: null, noun: 'business' },
  User: { key: 'number', otherName: 'number', noun: 'user' },
  Event: { key: 'uuid', otherName: 'uuid', noun: 'event' },
  CallTime: { key: 'uuid', otherName: 'uuid', noun: 'call time' },
  WorkShift: { key: 'uuid', otherName: 'uuid', noun: 'work shift' },
  Attendance: { key: 'uuid', otherName: 'uuid', noun: 'attendance' },
  Offer: { key: 'uuid', otherName: 'uuid', noun: 'offer' },
  OfferRecipient: { key: 'uuid', otherName: 'uuid', noun: 'part of a person in an offer' },
  ShiftSwap: { key: 'uuid', otherName: 'uuid', noun: 'swap of a shift' },
  Position: { key: 'number', otherName: 'number', noun: 'position' },
  ...mapPlainModels(({ noun }) => ({ key: 'number', otherName: 'number', noun }) as const),
  AvailabilityPattern: { key: 'uuid', otherName: 'uuid', noun: 'availability pattern' },
  AvailabilityException: { key: 'uuid', otherName: 'uuid', noun: 'availability exception' },
  UserQualification: { key: 'number', otherName: 'number', noun: 'held qualification' },
  CustomFieldDefinition: { key: 'uuid', otherName: 'uuid', noun: 'custom field' },
  CustomFieldValue: { key: 'event and field', otherName: null, noun: 'value of a custom field' },
  ApiKey: { key: 'public id', otherName: 'public id', noun: 'API key' },
  WebhookEndpoint: { key: 'uuid', otherName: 'uuid', noun: 'webhook endpoint' },
  WebhookMessage: { key: 'uuid', otherName: 'uuid', noun: 'webhook message' },
  Feed: { key: 'public id', otherName: 'public id', noun: 'calendar feed' },
  Screen: { key: 'uuid', otherName: 'uuid', noun: 'screen' },
  AuditEntry: { key: 'number', otherName: null, noun: 'audit entry' },
} as const satisfies Readonly<Record<string, NodeTypeFacts>>;

export type NodeType = keyof typeof nodeTypes;
