import { randomUUID } from 'node:crypto';
import type { OperationRecord } from '../../src/access/operation-record.ts';
import { columnOf } from '../../src/db/registry.ts';
import type { Catalog, PlainModel } from '../../src/fields/catalogs.ts';
import type { PrismaClient } from '../../src/generated/prisma/client.ts';
import { plainOperations } from '../../src/services/catalogs-plain.ts';
import { positions } from '../../src/services/positions.ts';

/*
 * The catalogs: rows with an id and a unique name, which admins list, create, change and delete. The shared tests of permissions,
 * retries, versions, cached responses, parity and isolation are made from them.
 */

interface Called {
  readonly operation: OperationRecord;
}

interface Operations {
  readonly catalog: Catalog;
  readonly list: Called;
  readonly get: Called;
  readonly getByIds: Called;
  readonly create: Called;
  readonly update: Called;
  readonly remove: Called;
}

export type ResourceModel = PlainModel | 'Position';
export type ResourceNoun = Uncapitalize<ResourceModel>;

export interface AnyResource {
  readonly operations: Operations;
  readonly model: ResourceModel;
  readonly noun: ResourceNoun;
  /** Its name in the database. */
  readonly table: string;
  /** Root field of the list in GraphQL. The others are named after the model: `position`, `createPosition`. */
  readonly list: string;
  /** Address of the list in REST. */
  readonly url: string;
  /** The field that holds the unique name. */
  readonly name: string;
  /** Other fields that a new row needs. */
  readonly more: Readonly<Record<string, string>>;
}

function describeResource(operations: Operations, more: AnyResource['more'] = {}): AnyResource {
  const { model, one: noun, many: list, table, label: name } = operations.catalog;
  return { operations, model, noun, table, list, url: `/v1/${table}`, name, more };
}

export const plainResources = Object.values(plainOperations).map((operations) => describeResource(operations));

export const resources: readonly AnyResource[] = [
  describeResource(positions, { defaultPayRate: '20.5' }),
  ...plainResources,
];

/** Fields of a new row with this name. */
export const newFields = ({ name, more }: AnyResource, value: string = randomUUID()): Record<string, string> => ({
  [name]: value,
  ...more,
});

/** A change of the name. */
export const newName = ({ name }: AnyResource, value: string = randomUUID()) => ({ [name]: value });

/** Fields of an input, spelled as in REST. */
export const inRestNames = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [columnOf(name), value]));

export interface ResourceRow {
  readonly businessId: number;
  readonly id: number;
  readonly version: number;
}

interface Delegate {
  create(args: { data: object }): Promise<ResourceRow>;
  createMany(args: { data: object[] }): Promise<unknown>;
  count(args: { where: object }): Promise<number>;
  findUnique(args: { where: object }): Promise<ResourceRow | null>;
  deleteMany(args: { where: object }): Promise<unknown>;
}

/** Prisma's calls for the table of a resource: they are alike for all. */
export const delegateOf = (prisma: PrismaClient, { noun }: Pick<AnyResource, 'noun'>): Delegate =>
  prisma[noun] as unknown as Delegate;

export const createResourceRow = (
  prisma: PrismaClient,
  resource: AnyResource,
  businessId: number,
  name?: string,
): Promise<ResourceRow> => delegateOf(prisma, resource).create({ data: { businessId, ...newFields(resource, name) } });

/** A row of each resource, by noun. Nothing refers to them. */
export async function createResourceRows(prisma: PrismaClient, businessId: number) {
  const rows = await Promise.all(
    resources.map(async (each) => [each.noun, await createResourceRow(prisma, each, businessId)] as const),
  );
  return Object.fromEntries(rows) as Record<ResourceNoun, ResourceRow>;
}
