import { limits } from '../config/limits.ts';
import { callTimeFields } from '../fields/call-times.ts';
import { mapPlainModels, type PlainModel, type PlainTable } from '../fields/catalogs.ts';
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
type TextField<M extends Prisma.ModelName> = Exclude<
  {
    [F in keyof Scalars<M>]: string extends NonNullable<Scalars<M>[F]>
      ? NonNullable<Scalars<M>[F]> extends string
        ? F
        : never
      : never;
  }[keyof Scalars<M>],
  'uuid' | 'jti' | 'checkInEventUuid' | 'eventUuid' | 'offToken'
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

type TableEntry<M extends Prisma.ModelName> = Changes<M> & Facts<M>;

/**
 * `raisesRevision`: whether cached answers depend on the rows. Each transaction that changes such a row raises the
 * revision of its business, and answers that were cached before are no longer used. `logged`: whether the change log
 * records changes of the rows. It is read by revision, so such a table raises the revision too. `unlogged`: fields that it
 * leaves out beside the secrets, because they follow from others.
 */
type Changes<M extends Prisma.ModelName> =
  | { readonly raisesRevision: true; readonly logged: boolean; readonly unlogged?: readonly (keyof Scalars<M>)[] }
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

const name: TextLength = { maxChars: limits.textChars, isNotBlank: true };
const title: TextLength = { maxChars: limits.textChars, isNotBlank: true };

/** Triggers that hand all rows that a statement has added, removed or changed to a function each. */
const statementTriggers = (of: string, table: string, functionOf: (change: string) => string) => ({
  [`${of}_added`]: `AFTER INSERT ON "${table}" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ${functionOf('added')}()`,
  [`${of}_removed`]: `AFTER DELETE ON "${table}" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION ${functionOf('removed')}()`,
  [`${of}_changed`]: `AFTER UPDATE ON "${table}" REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ${functionOf('changed')}()`,
});

/** Triggers that count the rows of the lists of a whole business. By their names, they come after those of the staffing. */
const tallyTriggers = (table: 'call_times' | 'work_shifts' | 'events') =>
  statementTriggers('tally', table, (change) => `tally_${change}_${table}`);

/** Triggers of a logged table that also keep the staffing of events, which counts the rows of two tables. */
const countingTriggers = (table: 'call_times' | 'work_shifts') => ({
  ...statementTriggers('staffing', table, (change) =>
    change === 'changed' ? `count_staffing_of_changed_${table}` : `count_staffing_of_${change}`,
  ),
  ...tallyTriggers(table),
});

const plainTable = <T extends PlainTable>(table: T) =>
  ({
    table,
    businessField: 'businessId',
    versioned: true,
    raisesRevision: true,
    logged: true,
    texts: { name },
  }) as const;

const plainTables: unknown = mapPlainModels(({ table }) => plainTable(table as PlainTable));

/** Tables whose rows the API shows, with their changes and versions. */
const versioned = { businessField: 'businessId', versioned: true, raisesRevision: true, logged: true } as const;
/** Tables whose rows no cached answer depends on. */
const uncached = { businessField: 'businessId', versioned: false, raisesRevision: false, logged: false } as const;

export const registry = {
  Business: {
    table: 'businesses',
    businessField: 'id',
    key: ['id'],
    versioned: true,
    raisesRevision: true,
    // The audit trail records what admins and operators change.
    logged: false,
    texts: {
      name: { maxChars: limits.textChars, isNotBlank: true },
      timezone: { maxChars: limits.timezoneChars, isNotBlank: true },
    },
  },
  User: {
    ...versioned,
    table: 'users',
    unlogged: ['emailKey'],
    secrets: { passwordHash: 'digest' },
    globallyUnique: ['emailKey'],
    texts: {
      name,
      firstName: { maxChars: limits.textChars },
      lastName: { maxChars: limits.textChars },
      email: { maxChars: limits.emailChars, minChars: 1 },
      emailKey: 'ownCheck',
      phone: { maxChars: limits.phoneChars, minChars: 1 },
      passwordHash: 'ownCheck',
      mailFault: 'unchecked',
    },
  },
  PersonalToken: {
    ...uncached,
    table: 'personal_tokens',
    staysBehind: 'Log-ins end: tokens are signed with the secrets of the service that made them.',
    texts: { userAgent: { maxChars: limits.textChars, minChars: 1 } },
  },
  Session: {
    ...uncached,
    table: 'sessions',
    staysBehind: 'Log-ins end: a browser keeps its cookie for the address of the service that set it.',
    texts: { publicId: 'ownCheck', userAgent: { maxChars: limits.textChars, minChars: 1 } },
  },
  Invitation: {
    ...uncached,
    table: 'invitations',
    key: ['businessId', 'userId'],
    staysBehind: 'Links lead to the service that made them.',
    texts: {},
  },
  Mail: {
    ...uncached,
    table: 'mails',
    staysBehind: 'Their links lead to the service that made them.',
    texts: { occasion: 'unchecked', emailKey: 'unchecked' },
  },
  MailCursor: {
    ...uncached,
    table: 'mail_cursors',
    key: ['businessId'],
    staysBehind: 'The service tells of what happens after the import.',
    texts: {},
  },
  ApiKey: {
    ...uncached,
    table: 'api_keys',
    secrets: { secretHash: 'digest' },
    globallyUnique: ['publicId'],
    texts: {
      name: { maxChars: limits.labelChars, isNotBlank: true },
      publicId: 'ownCheck',
      lastFour: 'ownCheck',
    },
  },
  Screen: {
    ...uncached,
    table: 'screens',
    secrets: { secretHash: 'digest' },
    globallyUnique: ['publicId'],
    texts: {
      name: { maxChars: limits.labelChars, isNotBlank: true },
      city: { maxChars: limits.textChars, isNotBlank: true },
      text: { maxChars: limits.textChars, isNotBlank: true },
      code: 'ownCheck',
      publicId: 'ownCheck',
    },
  },
  Feed: {
    ...uncached,
    table: 'feeds',
    secrets: { secretHash: 'digest', previousSecretHash: 'digest' },
    globallyUnique: ['publicId'],
    texts: { name: { maxChars: limits.labelChars, isNotBlank: true }, publicId: 'ownCheck' },
  },
  Position: {
    ...versioned,
    table: 'positions',
    unlogged: ['rateVersion'],
    triggers: {
      former_rate:
        'BEFORE UPDATE ON "positions" FOR EACH ROW WHEN (OLD.default_pay_rate <> NEW.default_pay_rate OR OLD.pay_unit <> NEW.pay_unit OR OLD.announced_rates <> NEW.announced_rates OR OLD.bill_rate IS DISTINCT FROM NEW.bill_rate OR OLD.bill_unit <> NEW.bill_unit) EXECUTE FUNCTION keep_former_rate()',
    },
    texts: { title },
  },
  // Before call times and shifts, which are priced as they are added.
  PositionRate: {
    ...uncached,
    table: 'position_rates',
    followsFrom: 'Position',
    texts: {},
  },
  ...(plainTables as { readonly [M in PlainModel]: ReturnType<typeof plainTable<PlainTable<M>>> }),
  Event: {
    ...versioned,
    table: 'events',
    unlogged: ['uniqueResourceId'],
    triggers: {
      claim_resource_id:
        'BEFORE INSERT OR UPDATE OF resource_id, status ON "events" FOR EACH ROW EXECUTE FUNCTION claim_resource_id()',
      ...tallyTriggers('events'),
      tally_rows: `AFTER UPDATE ON "events" FOR EACH ROW WHEN ((NEW.status = 'deleted'::"EventStatus") <> (OLD.status = 'deleted'::"EventStatus")) EXECUTE FUNCTION tally_rows_of_event()`,
      staffing_moved:
        'AFTER UPDATE OF starts_at ON "events" FOR EACH ROW WHEN (OLD.starts_at IS DISTINCT FROM NEW.starts_at) EXECUTE FUNCTION count_staffing_of_moved_event()',
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
    ...versioned,
    table: 'call_times',
    triggers: {
      ...countingTriggers('call_times'),
      keep_own_unit: `BEFORE INSERT OR UPDATE OF pay_unit ON "call_times" FOR EACH ROW WHEN (NEW.pay_rate IS NULL AND NEW.pay_unit <> 'hour'::"PayUnit") EXECUTE FUNCTION keep_own_unit()`,
    },
    texts: { ...lengthsOf(callTimeFields), overrideReason: { maxChars: limits.remarkChars, minChars: 1 } },
  },
  WorkShift: {
    ...versioned,
    table: 'work_shifts',
    triggers: {
      ...countingTriggers('work_shifts'),
      note_cancellation:
        'BEFORE UPDATE OF status ON "work_shifts" FOR EACH ROW WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION note_cancellation()',
      keep_attended: `BEFORE UPDATE ON "work_shifts" FOR EACH ROW WHEN (OLD.user_id <> NEW.user_id OR OLD.event_id <> NEW.event_id OR OLD.status <> NEW.status OR OLD.position_id <> NEW.position_id OR OLD.call_time_id IS DISTINCT FROM NEW.call_time_id OR OLD.start_local IS DISTINCT FROM NEW.start_local OR OLD.end_local IS DISTINCT FROM NEW.end_local) EXECUTE FUNCTION keep_attended()`,
      keep_pay_unit:
        'BEFORE INSERT OR UPDATE ON "work_shifts" FOR EACH ROW WHEN ((NEW.pay_rate IS NULL) <> (NEW.pay_unit IS NULL)) EXECUTE FUNCTION keep_pay_unit()',
    },
    texts: {
      overrideReason: { maxChars: limits.remarkChars, minChars: 1 },
      cancelReason: { maxChars: limits.remarkChars, minChars: 1 },
      moveReason: { maxChars: limits.remarkChars, minChars: 1 },
    },
  },
  Attendance: {
    ...versioned,
    table: 'attendance',
    triggers: statementTriggers('present', 'attendance', (change) => `count_present_of_${change}`),
    texts: {
      note: { maxChars: limits.remarkChars, minChars: 1 },
      changeReason: { maxChars: limits.remarkChars, minChars: 1 },
    },
  },
  AttendanceAttempt: {
    ...uncached,
    table: 'attendance_attempts',
    key: ['businessId', 'eventId', 'userId'],
    staysBehind: 'The codes of events are made with a secret of the service.',
    texts: {},
  },
  Offer: {
    table: 'offers',
    businessField: 'businessId',
    versioned: true,
    raisesRevision: true,
    // Its recipients tell what has become of it.
    logged: false,
    texts: { message: { maxChars: limits.remarkChars, minChars: 1 } },
  },
  OfferRecipient: {
    ...versioned,
    table: 'offer_recipients',
    texts: { reason: { maxChars: limits.remarkChars, minChars: 1 } },
  },
  ShiftSwap: {
    ...versioned,
    table: 'shift_swaps',
    texts: {
      message: { maxChars: limits.remarkChars, minChars: 1 },
      reason: { maxChars: limits.remarkChars, minChars: 1 },
    },
  },
  UserQualification: {
    ...versioned,
    table: 'user_qualifications',
    texts: { reference: { maxChars: limits.textChars, isNotBlank: true } },
  },
  Requirement: {
    table: 'requirements',
    businessField: 'businessId',
    // They are changed through their position or call time, so its version counts the changes.
    versioned: false,
    raisesRevision: true,
    logged: true,
    texts: {},
  },
  CustomField: {
    ...versioned,
    table: 'custom_fields',
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
    texts: { value: { maxChars: limits.longTextChars } },
  },
  AvailabilityPattern: {
    ...versioned,
    table: 'availability_patterns',
    texts: {
      startTime: 'ownCheck',
      endTime: 'ownCheck',
      timezone: { maxChars: limits.timezoneChars, minChars: 1 },
    },
  },
  AvailabilityException: {
    ...versioned,
    table: 'availability_exceptions',
    texts: { note: { maxChars: limits.textChars, isNotBlank: true } },
  },
  IdempotencyKey: {
    ...uncached,
    table: 'idempotency_keys',
    key: ['businessId', 'key'],
    staysBehind: 'Answers to repeated calls are kept for a day only.',
    texts: { key: { maxChars: limits.idempotencyKeyChars, minChars: 1 }, operation: 'unchecked' },
  },
  AuditEntry: {
    ...uncached,
    table: 'audit_entries',
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
    ...uncached,
    table: 'business_revisions',
    key: ['businessId'],
    staysBehind: 'The import raises it above all commits that have moved.',
    texts: {},
  },
  Commit: {
    ...uncached,
    table: 'commits',
    key: ['businessId', 'revision'],
    sequences: { batch: 'change_batches' },
    texts: {
      actorKind: 'unchecked',
      actorName: 'unchecked',
      operation: 'unchecked',
      requestId: 'unchecked',
    },
  },
  RowChange: {
    ...uncached,
    table: 'row_changes',
    key: ['businessId', 'batch', 'id'],
    texts: { kind: 'unchecked', change: 'unchecked' },
  },
  WebhookEndpoint: {
    ...uncached,
    table: 'webhook_endpoints',
    secrets: { secret: 'encrypted', previousSecret: 'encrypted' },
    texts: {
      url: { maxChars: limits.webhookUrlChars, minChars: 1 },
      description: { maxChars: limits.textChars },
      secret: 'unchecked',
      previousSecret: 'unchecked',
      disabledReason: 'ownCheck',
    },
  },
  WebhookMessage: {
    ...uncached,
    table: 'webhook_messages',
    texts: { type: 'unchecked', payload: 'unchecked', status: 'ownCheck' },
  },
  WebhookAttempt: {
    ...uncached,
    table: 'webhook_attempts',
    texts: { error: 'unchecked', response: 'unchecked' },
  },
  EventTally: {
    ...uncached,
    table: 'event_tallies',
    followsFrom: 'Event',
    staysBehind: 'Triggers count the events anew.',
    texts: {},
  },
  ListTally: {
    ...uncached,
    table: 'list_tallies',
    // And from CallTime and Event, which raise the revision as well.
    followsFrom: 'WorkShift',
    staysBehind: 'Triggers count the work shifts and call times anew.',
    texts: { kind: 'unchecked' },
  },
  EventStaffing: {
    ...uncached,
    table: 'event_staffing',
    key: ['businessId', 'eventId'],
    // And from WorkShift and Attendance, which raise the revision as well.
    followsFrom: 'CallTime',
    staysBehind: 'Triggers count the staffing of events anew.',
    texts: {},
  },
  PositionStaffing: {
    ...uncached,
    table: 'position_staffing',
    key: ['businessId', 'eventId', 'positionId'],
    // And from WorkShift, Position and Attendance, which raise the revision as well.
    followsFrom: 'CallTime',
    staysBehind: 'Triggers count the staffing of events by position anew.',
    texts: {},
  },
  TzState: {
    ...uncached,
    table: 'tz_state',
    businessField: null,
    key: ['id'],
    texts: { tzVersion: 'unchecked', nextVersion: 'unchecked' },
  },
  BackupState: {
    ...uncached,
    table: 'backup_state',
    businessField: null,
    key: ['id'],
    texts: {},
  },
} as const satisfies { readonly [M in Prisma.ModelName]: TableEntry<M> };

type Registry = typeof registry;

/** Models with entries that hold these facts. */
type ModelWith<F> = { [M in Prisma.ModelName]: Registry[M] extends F ? M : never }[Prisma.ModelName];

/** Models whose rows belong to businesses. */
export type TenantModel = Exclude<Prisma.ModelName, ModelWith<{ readonly businessField: null }>>;

type LoggedModel = ModelWith<{ readonly logged: true }>;

export type LoggedTable = Registry[LoggedModel]['table'];

/** Kinds of the rows in the change log: their models, as the API spells them. */
export type LoggedKind = Uncapitalize<LoggedModel>;

/** Tables of the change log whose rows have no name or title of their own. */
export type NamelessTable = {
  [M in LoggedModel]: 'name' extends TextField<M> ? never : 'title' extends TextField<M> ? never : Registry[M]['table'];
}[LoggedModel];

/** Models whose rows have an id and count their changes. */
export type VersionedModel = ModelWith<{ readonly versioned: true; readonly businessField: 'businessId' }>;

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

/** An entry with its defaults. The change log leaves out every secret. */
export const toTable = (model: Prisma.ModelName, entry: AnyEntry): Table => ({
  key: ['businessId', 'id'],
  triggers: {},
  staysBehind: null,
  secrets: {},
  globallyUnique: [],
  sequences: {},
  ...entry,
  unlogged: [...Object.keys(entry.secrets ?? {}), ...(entry.unlogged ?? [])],
  followsFrom: entry.followsFrom ?? null,
  model,
});

/** All entries, in the order of the registry. */
export const tables: readonly Table[] = Object.entries<AnyEntry>(registry).map(([model, entry]) =>
  toTable(model as Prisma.ModelName, entry),
);

/**
 * Kinds of the rows in the change log, by table. A table may be missing: a later version has logged it in this database, which
 * may be in use beside it.
 */
export const kindsByTable: ReadonlyMap<string, LoggedKind> = new Map(
  tables.flatMap(({ model, table, logged }) =>
    logged ? [[table, (model[0]?.toLowerCase() + model.slice(1)) as LoggedKind]] : [],
  ),
);

/** The column of a field: schema.prisma maps every field to its name in snake case. */
export function columnOf(field: string): string {
  return field.replaceAll(/[A-Z]|\d+/g, (part) => `_${part}`).toLowerCase();
}
