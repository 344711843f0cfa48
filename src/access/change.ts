import type { LoggedKind } from '../db/registry.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { OperationRecord } from './operation-record.ts';

/** Kinds of rows that a write can change: those of the change log, and those that only the audit trail keeps. */
export type ChangedKind = LoggedKind | 'business' | 'offer' | 'apiKey' | 'feed' | 'screen' | 'webhookEndpoint';

/** A change that a write made, and the row that it changed. It never holds a secret. */
export interface Change {
  readonly kind: ChangedKind;
  readonly id: number;
  readonly details?: Prisma.InputJsonObject;
}

export interface RecordedChange extends Change {
  readonly operation: OperationRecord;
}
