import { randomUUID } from 'node:crypto';
import type { OperationRecord } from '../../src/access/operation-record.ts';
import { columnOf, registry, type VersionedModel } from '../../src/db/registry.ts';
import type { PrismaClient } from '../../src/generated/prisma/client.ts';
import * as positions from '../../src/services/positions.ts';
import * as skillLevels from '../../src/services/skill-levels.ts';

/*
 * The plain resources: rows with an id and a unique name, which admins list, create, change and delete. One entry says all
 * that the shared tests need: permissions, retries, versions, cached responses, parity and isolation are tested from it.
 */

interface Called {
  readonly operation: OperationRecord;
}

interface Resource {
  readonly operations: {
    readonly list: Called;
    readonly get: Called;
    readonly create: Called;
    readonly update: Called;
    readonly remove: Called;
  };
  /** Root field of the list in GraphQL. The others are named after the model: `position`, `createPosition`. */
  readonly list: string;
  /** Address of the list in REST, for resources that REST has. */
  readonly url?: string;
  /** The field that holds the unique name. */
  readonly name: string;
  /** Other fields that a new row needs. */
  readonly more?: Readonly<Record<string, string>>;
}

const table = {
  Position: {
    operations: {
      list: positions.list,
      get: positions.get,
      create: positions.create,
      update: positions.update,
      remove: positions.remove,
    },
    list: 'positions',
    url: '/v1/positions',
    name: 'title',
    more: { defaultPayRate: '20.5' },
  },
  SkillLevel: {
    operations: {
      list: skillLevels.list,
      get: skillLevels.get,
      create: skillLevels.create,
      update: skillLevels.rename,
      remove: skillLevels.remove,
    },
    list: 'skillLevels',
    url: '/v1/skill_levels',
    name: 'name',
  },
} as const satisfies { readonly [M in VersionedModel]?: Resource };

export type ResourceModel = keyof typeof table;
export type ResourceNoun = Uncapitalize<ResourceModel>;

export interface AnyResource extends Resource {
  readonly model: ResourceModel;
  readonly noun: ResourceNoun;
  /** Its name in the database. */
  readonly table: string;
}

const uncapitalize = <T extends string>(text: T): Uncapitalize<T> =>
  text.replace(/^./, (letter) => letter.toLowerCase()) as Uncapitalize<T>;

export const resources: readonly AnyResource[] = Object.entries<Resource>(table).map(([name, resource]) => {
  const model = name as ResourceModel;
  return { ...resource, model, noun: uncapitalize(model), table: registry[model].table };
});

export const restResources = resources.flatMap((each) => (each.url === undefined ? [] : [{ ...each, url: each.url }]));

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
