import { limits } from '../config/limits.ts';
import { callTimeFields } from '../fields/call-times.ts';
import { eventFields } from '../fields/events.ts';
import { lengthsOf } from '../fields/field-list.ts';
import type { Prisma } from '../generated/prisma/client.ts';

/*
 * The registry of tables: one entry for each model of prisma/schema.prisma. db/tenant.ts binds rows to their business by it,
 * `npm run migration` writes the triggers, length checks and settings that it asks for, and test/registry.test.ts holds it against
 * the real database. A new model, or a new text field, without its entry does not compile.
 */

type Scalars<M extends Prisma.ModelName> = Prisma.TypeMap['model'][M]['payload']['scalars'];

/** Fields that hold text. Enums are narrower than `string`, JSON is wider; the fields named here are UUIDs. */
export type TextField<M extends Prisma.ModelName> = Exclude<
  {
    [F in keyof Scalars<M>]: string extends NonNullable<Scalars<M>[F]>
      ? NonNullable<Scalars<M>[F]> extends string
        ? F
        : never
      : never;
  }[keyof Scalars<M>],
  'uuid' | 'jti'
>;

export interface TextLength {
  readonly maxChars: number;
  /** 0 unless given. */
  readonly minChars?: number;
  /** At least one character must not be white space. */
  readonly isNotBlank?: true;
}

/**
 * The length of a text, which the database checks too. `ownCheck` means that a CHECK in a migration says more than a
 * length; `unchecked`, that only the service itself makes the text, and bounds it.
 */
export type TextRule = TextLength | 'ownCheck' | 'unchecked';

type TableEntry<M extends Prisma.ModelName> = Changes & Facts<M>;

/**
 * `raisesRevision`: whether cached answers depend on the rows. Each transaction that changes such a row raises the
 * revision of its business, and answers that were cached before are no longer used. `logged`: whether the change log
 * records changes of the rows. It is read by revision, so such a table raises the revision too. `unlogged`: fields that it
 * leaves out, because they are secrets or follow from others.
 */
type Changes =
  | { readonly raisesRevision: true; readonly logged: boolean; readonly unlogged?: readonly string[] }
  | { readonly raisesRevision: false; readonly logged: false };

interface Facts<M extends Prisma.ModelName> {
  /** Name of the table in the database. */
  readonly table: string;
  /** The field that says which business a row belongs to. Null for tables of the system, which no operation can reach. */
  readonly businessField: 'businessId' extends keyof Scalars<M> ? 'businessId' : M extends 'Business' ? 'id' : null;
  /** Fields of the primary key, where they are not `businessId` and `id`. */
  readonly key?: readonly (keyof Scalars<M>)[];
  /** Whether a trigger counts the changes of each row in `version`, so that a change can say which version it expects. */
  readonly versioned: 'version' extends keyof Scalars<M> ? true : false;
  /** The model whose triggers write these rows. They change only together with it, so its revision covers them. */
  readonly followsFrom?: Prisma.ModelName;
  /** Further triggers: the SQL that follows `CREATE TRIGGER name`, by name. Their functions stand in a migration. */
  readonly triggers?: Readonly<Record<string, string>>;
  /** Why the rows stay behind when their business moves to another database. All others move, in the order of the registry. */
  readonly staysBehind?: string;
  /** Fields that hold secrets. They leave the database sealed or not at all. */
  readonly secrets?: { readonly [F in keyof Scalars<M>]?: SecretKind };
  /** Fields whose values are unique over all businesses. */
  readonly globallyUnique?: readonly (keyof Scalars<M>)[];
  /** Sequences that number a field, beside those that belong to an id. */
  readonly sequences?: { readonly [F in keyof Scalars<M>]?: string };
  readonly texts: Readonly<Record<TextField<M>, TextRule>>;
}

/** `digest`: nobody can read the secret from it. `encrypted`: with the keys of webhooks, which another database does not have. */
export type SecretKind = 'digest' | 'encrypted';

const name: TextLength = { maxChars: limits.nameChars, isNotBlank: true };
const title: TextLength = { maxChars: limits.titleChars, isNotBlank: true };

/** Triggers that keep the staffing of events, which counts the rows of two tables. */
const staffingTriggers = (table: 'call_times' | 'work_shifts') => ({
  staffing_added: `AFTER INSERT ON "${table}" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_staffing_of_added()`,
  staffing_removed: `AFTER DELETE ON "${table}" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_staffing_of_removed()`,
  staffing_changed: `AFTER UPDATE ON "${table}" REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_staffing_of_changed_${table}()`,
});

export const registry = {
  Business: {
    table: 'businesses',
    businessField: 'id',
    key: ['id'],
    versioned: false,
    raisesRevision: true,
    // The audit trail records what admins and operators change.
    logged: false,
    texts: { name: { maxChars: limits.businessNameChars, isNotBlank: true } },
  },
  User: {
    table: 'users',
    businessField: 'businessId',
    versioned: true,
    raisesRevision: true,
    logged: true,
    unlogged: ['passwordHash', 'emailKey'],
    secrets: { passwordHash: 'digest' },
    globallyUnique: ['emailKey'],
    texts: {
      name,
      firstName: { maxChars: limits.nameChars },
      lastName: { maxChars: limits.nameChars },
      email: { maxChars: limits.emailChars, minChars: 1 },
      emailKey: 'ownCheck',
      phone: { maxChars: limits.phoneChars, minChars: 1 },
      passwordHash: 'ownCheck',
    },
  },
  PersonalToken: {
    table: 'personal_tokens',
    businessField: 'businessId',
    versioned: false,
    raisesRevision: false,
    logged: false,
    staysBehind: 'Log-ins end: tokens are signed with the secrets of the service that made them.',
    texts: {},
  },
  ApiKey: {
    table: 'api_keys',
    businessField: 'businessId',
    versioned: false,
    raisesRevision: false,
    logged: false,
    secrets: { secretHash: 'digest' },
    globallyUnique: ['publicId'],
    texts: {
      name: { maxChars: limits.keyNameChars, isNotBlank: true },
      publicId: 'ownCheck',
      lastFour: 'ownCheck',
    },
  },
  Screen: {
    table: 'screens',
    businessField: 'businessId',
    versioned: false,
    raisesRevision: false,
    logged: false,
    secrets: { secretHash: 'digest' },
    globallyUnique: ['publicId'],
    texts: {
      name: { maxChars: limits.screenNameChars, isNotBlank: true },
      city: { maxChars: limits.cityChars, isNotBlank: true },
      text: { maxChars: limits.shortTextChars, isNotBlank: true },
      code: 'ownCheck',
      publicId: 'ownCheck',
    },
  },
  Position: {
    table: 'positions',
    businessField: 'businessId',
    versioned: true,
    raisesRevision: true,
    logged: true,
    texts: { title },
  },
  SkillLevel: {
    table: 'skill_levels',
    businessField: 'businessId',
    versioned: true,
    raisesRevision: true,
    logged: true,
    texts: { name },
  },
  Event: {
    table: 'events',
    businessField: 'businessId',
    versioned: true,
    raisesRevision: true,
    logged: true,
    unlogged: ['uniqueResourceId'],
    triggers: {
      claim_resource_id:
        'BEFORE INSERT OR UPDATE OF resource_id, status ON "events" FOR EACH ROW EXECUTE FUNCTION claim_resource_id()',
      tally_added:
        'AFTER INSERT ON "events" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tally_added_events()',
      tally_removed:
        'AFTER DELETE ON "events" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION tally_removed_events()',
      tally_changed:
        'AFTER UPDATE ON "events" REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_events()',
    },
    texts: {
      ...lengthsOf(eventFields),
      title,
      timezone: { maxChars: limits.timezoneChars, minChars: 1 },
      latitude: 'ownCheck',
      longitude: 'ownCheck',
      uniqueResourceId: 'unchecked',
    },
  },
  CallTime: {
    table: 'call_times',
    businessField: 'businessId',
    versioned: true,
    raisesRevision: true,
    logged: true,
    triggers: staffingTriggers('call_times'),
    texts: lengthsOf(callTimeFields),
  },
  WorkShift: {
    table: 'work_shifts',
    businessField: 'businessId',
    versioned: true,
    raisesRevision: true,
    logged: true,
    triggers: staffingTriggers('work_shifts'),
    texts: { overrideReason: { maxChars: limits.overrideReasonChars, minChars: 1 } },
  },
  CustomField: {
    table: 'custom_fields',
    businessField: 'businessId',
    versioned: true,
    raisesRevision: true,
    logged: true,
    texts: { name },
  },
  CustomFieldValue: {
    table: 'custom_field_values',
    businessField: 'businessId',
    key: ['businessId', 'eventId', 'customFieldId'],
    // Values are changed through their event, so its version counts the changes.
    versioned: false,
    raisesRevision: true,
    logged: true,
    texts: { value: { maxChars: limits.customValueChars } },
  },
  IdempotencyKey: {
    table: 'idempotency_keys',
    businessField: 'businessId',
    key: ['businessId', 'key'],
    versioned: false,
    raisesRevision: false,
    logged: false,
    staysBehind: 'Answers to repeated calls are kept for a day only.',
    texts: { key: { maxChars: limits.idempotencyKeyChars, minChars: 1 }, operation: 'unchecked' },
  },
  AuditEntry: {
    table: 'audit_entries',
    businessField: 'businessId',
    versioned: false,
    raisesRevision: false,
    logged: false,
    texts: {
      action: 'unchecked',
      outcome: 'ownCheck',
      actorKind: 'ownCheck',
      actorName: 'unchecked',
      subjectKind: 'unchecked',
      address: 'unchecked',
      requestId: 'unchecked',
    },
  },
  BusinessRevision: {
    table: 'business_revisions',
    businessField: 'businessId',
    key: ['businessId'],
    versioned: false,
    raisesRevision: false,
    logged: false,
    staysBehind: 'The import raises it above all commits that have moved.',
    texts: {},
  },
  Commit: {
    table: 'commits',
    businessField: 'businessId',
    key: ['businessId', 'revision'],
    versioned: false,
    raisesRevision: false,
    logged: false,
    sequences: { batch: 'change_batches' },
    texts: {
      actorKind: 'unchecked',
      actorName: 'unchecked',
      operation: 'unchecked',
      requestId: 'unchecked',
    },
  },
  RowChange: {
    table: 'row_changes',
    businessField: 'businessId',
    key: ['businessId', 'batch', 'id'],
    versioned: false,
    raisesRevision: false,
    logged: false,
    texts: { kind: 'unchecked', change: 'unchecked' },
  },
  WebhookEndpoint: {
    table: 'webhook_endpoints',
    businessField: 'businessId',
    versioned: false,
    raisesRevision: false,
    logged: false,
    secrets: { secret: 'encrypted', previousSecret: 'encrypted' },
    texts: {
      url: { maxChars: limits.webhookUrlChars, minChars: 1 },
      description: { maxChars: limits.webhookDescriptionChars },
      secret: 'unchecked',
      previousSecret: 'unchecked',
      disabledReason: 'ownCheck',
    },
  },
  WebhookMessage: {
    table: 'webhook_messages',
    businessField: 'businessId',
    versioned: false,
    raisesRevision: false,
    logged: false,
    texts: { type: 'unchecked', payload: 'unchecked', status: 'ownCheck' },
  },
  WebhookAttempt: {
    table: 'webhook_attempts',
    businessField: 'businessId',
    versioned: false,
    raisesRevision: false,
    logged: false,
    texts: { error: 'unchecked', response: 'unchecked' },
  },
  EventTally: {
    table: 'event_tallies',
    businessField: 'businessId',
    versioned: false,
    raisesRevision: false,
    logged: false,
    followsFrom: 'Event',
    staysBehind: 'Triggers count the events anew.',
    texts: {},
  },
  EventStaffing: {
    table: 'event_staffing',
    businessField: 'businessId',
    key: ['businessId', 'eventId'],
    versioned: false,
    raisesRevision: false,
    logged: false,
    // And from WorkShift, which raises the revision as well.
    followsFrom: 'CallTime',
    staysBehind: 'Triggers count the staffing of events anew.',
    texts: {},
  },
  PositionStaffing: {
    table: 'position_staffing',
    businessField: 'businessId',
    key: ['businessId', 'eventId', 'positionId'],
    versioned: false,
    raisesRevision: false,
    logged: false,
    // And from WorkShift and Position, which raise the revision as well.
    followsFrom: 'CallTime',
    staysBehind: 'Triggers count the staffing of events by position anew.',
    texts: {},
  },
  TzState: {
    table: 'tz_state',
    businessField: null,
    key: ['id'],
    versioned: false,
    raisesRevision: false,
    logged: false,
    texts: { tzVersion: 'unchecked', nextVersion: 'unchecked' },
  },
} as const satisfies { readonly [M in Prisma.ModelName]: TableEntry<M> };

type Registry = typeof registry;

/** Models with entries that hold these facts. */
type ModelWith<F> = { [M in Prisma.ModelName]: Registry[M] extends F ? M : never }[Prisma.ModelName];

/** Models whose rows belong to businesses. */
export type TenantModel = Exclude<Prisma.ModelName, ModelWith<{ readonly businessField: null }>>;

/** Models whose changes the change log records. */
export type LoggedModel = ModelWith<{ readonly logged: true }>;

/** Models whose rows have an id and count their changes. */
export type VersionedModel = ModelWith<{ readonly versioned: true }>;

/** Tables of businesses that cached answers are made from: they raise the revision, or follow from a table that does. */
export type CacheableTable = Registry[ModelWith<
  { readonly businessField: 'businessId' } & (
    { readonly raisesRevision: true } | { readonly followsFrom: Prisma.ModelName }
  )
>]['table'];

/** An entry as code reads it that goes through all tables. */
export interface Table {
  readonly model: Prisma.ModelName;
  readonly table: string;
  readonly businessField: 'businessId' | 'id' | null;
  readonly key: readonly string[];
  readonly versioned: boolean;
  readonly raisesRevision: boolean;
  readonly logged: boolean;
  readonly unlogged: readonly string[];
  readonly followsFrom: Prisma.ModelName | null;
  readonly triggers: Readonly<Record<string, string>>;
  readonly staysBehind: string | null;
  readonly secrets: Readonly<Record<string, SecretKind>>;
  readonly globallyUnique: readonly string[];
  readonly sequences: Readonly<Record<string, string>>;
  readonly texts: Readonly<Record<string, TextRule>>;
}

type WithDefault = 'key' | 'triggers' | 'unlogged' | 'staysBehind' | 'secrets' | 'globallyUnique' | 'sequences';
type AnyEntry = Omit<Table, 'model' | 'followsFrom' | WithDefault> &
  Partial<Pick<Table, WithDefault>> & { readonly followsFrom?: Prisma.ModelName };

/** All entries, in the order of the registry. */
export const tables: readonly Table[] = Object.entries<AnyEntry>(registry).map(([model, entry]) => ({
  key: ['businessId', 'id'],
  triggers: {},
  unlogged: [],
  staysBehind: null,
  secrets: {},
  globallyUnique: [],
  sequences: {},
  ...entry,
  followsFrom: entry.followsFrom ?? null,
  model: model as Prisma.ModelName,
}));

/** The column of a field: schema.prisma maps every field to its name in snake case. */
export function columnOf(field: string): string {
  return field.replaceAll(/[A-Z]|\d+/g, (part) => `_${part}`).toLowerCase();
}
