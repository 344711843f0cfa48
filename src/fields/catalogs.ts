import type { Prisma } from '../generated/prisma/client.ts';

/*
 * Catalogs: short lists of rows with a unique name, which the admins of a business list, read, create, change and delete. A plain
 * catalog has an id, a name, a version and perhaps flags, and no other fields. Its entry here is all that is said about it: the registry of tables,
 * the operations, the routes, the types and resolvers of GraphQL, nodes, the change log and the shared tests are made from it.
 */

/** Columns that point to a row, by model. A row that one of them holds cannot be deleted. */
type References = { readonly [M in Prisma.ModelName]?: keyof Prisma.TypeMap['model'][M]['payload']['scalars'] };

interface Uses {
  readonly by: References;
  /** When a deletion is refused, as each API describes it. */
  readonly inRest: string;
  readonly inGraphql: string;
}

interface CatalogFacts {
  /** Its plural names the addresses, the operations and the fields: /v1/skill_levels, skillLevels.list, `skillLevels`. */
  readonly table: string;
  /** Rows that point to the rows of the catalog; null if there are none. */
  readonly uses: Uses | null;
}

interface PlainFacts extends CatalogFacts {
  /** Describes the type in GraphQL. */
  readonly description: string;
  /** Describes the section in the reference of REST. */
  readonly section: string;
  /** The callers who see a row by its id, as in rows that point to it and in the change feed. */
  readonly readers: 'admins' | 'everybody';
  /** Descriptions of fields that are true or false, beside the name. They are false unless a new row says otherwise. */
  readonly flags?: Flags;
}

type Flags = Readonly<Record<string, string>>;

/** Makes the fields of a catalog's flags from their descriptions. To the compiler they add no fields: the catalogs share one type. */
export const mapFlags = (flags: Flags | undefined, make: (description: string) => unknown) =>
  Object.fromEntries(Object.entries(flags ?? {}).map(([flag, text]) => [flag, make(text)])) as object;

export const plainCatalogs = {
  SkillLevel: {
    table: 'skill_levels',
    description: 'A level of skill that a call time can require.',
    section: 'How experienced people have to be for a call time.',
    readers: 'everybody',
    uses: {
      by: { CallTime: 'skillLevelId' },
      inRest: 'while call times ask for it',
      inGraphql: 'while call times require it',
    },
  },
  Qualification: {
    table: 'qualifications',
    description: 'What a person can hold and a shift can require, such as a forklift licence.',
    section: 'What people hold, such as licences and certificates, and what positions and call times require.',
    readers: 'everybody',
    flags: {
      expires:
        'Whether it ends for everybody: a person can hold it only with a last day. What is held already stays when this changes.',
    },
    uses: {
      by: { UserQualification: 'qualificationId', Requirement: 'qualificationId' },
      inRest: 'while people hold it, or positions or call times require it',
      inGraphql: 'while people hold it, or positions or call times require it',
    },
  },
} as const satisfies { readonly [M in Prisma.ModelName]?: PlainFacts };

export type PlainModel = keyof typeof plainCatalogs;
export type PlainTable<M extends PlainModel = PlainModel> = (typeof plainCatalogs)[M]['table'];

type Words<T extends string> = T extends `${infer First}_${infer Rest}` ? `${First} ${Words<Rest>}` : T;

/** `Skill levels`: the sections of plain catalogs in the reference of REST. */
export type PlainSection = Capitalize<Words<PlainTable>>;

/** The kinds of the rows of plain catalogs, as changes name them. */
export type PlainKind = Uncapitalize<PlainModel>;

export interface PlainRow {
  readonly id: number;
  readonly name: string;
  readonly version: number;
}

type CatalogModel = PlainModel | 'Position';

/** A catalog with the names that follow from its model and its table. */
export interface Catalog extends CatalogFacts {
  readonly model: CatalogModel;
  /** The field with the unique name. */
  readonly label: 'name' | 'title';
  /** `skillLevel`, and `skillLevels`. */
  readonly one: Uncapitalize<CatalogModel>;
  readonly many: string;
  /** `skill level`, `a skill level`, `skill levels`, and `Skill levels`. */
  readonly noun: string;
  readonly aNoun: string;
  readonly nouns: string;
  readonly title: PlainSection | 'Positions';
}

export interface PlainCatalog extends PlainFacts, Catalog {
  readonly model: PlainModel;
  readonly one: PlainKind;
}

/** `skill_levels` -> `skillLevels`. */
export const camelCase = (table: string): string =>
  table.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

function nameCatalog<M extends CatalogModel, F extends CatalogFacts & Pick<Catalog, 'label'>>(model: M, facts: F) {
  const noun = model.replaceAll(/\B[A-Z]/g, ' $&').toLowerCase();
  const nouns = facts.table.replaceAll('_', ' ');
  return {
    ...facts,
    model,
    one: (model.charAt(0).toLowerCase() + model.slice(1)) as Uncapitalize<M>,
    many: camelCase(facts.table),
    noun,
    aNoun: `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`,
    nouns,
    title: (nouns.charAt(0).toUpperCase() + nouns.slice(1)) as Catalog['title'],
  };
}

/** Positions are a catalog with more fields. */
export const positionCatalog: Catalog = nameCatalog('Position', {
  table: 'positions',
  label: 'title',
  uses: {
    by: { CallTime: 'positionId', WorkShift: 'positionId' },
    inRest: 'while call times or shifts of any status have the position',
    inGraphql: 'while call times or shifts of any status use it',
  },
});

const plain: readonly PlainCatalog[] = Object.entries<PlainFacts>(plainCatalogs).map(([model, facts]) =>
  nameCatalog(model as PlainModel, { ...facts, label: 'name' as const }),
);

export function mapPlainModels<T>(make: (catalog: PlainCatalog) => T): Readonly<Record<PlainModel, T>> {
  return Object.fromEntries(plain.map((each) => [each.model, make(each)])) as Record<PlainModel, T>;
}

export function mapPlainKinds<T>(make: (catalog: PlainCatalog) => T): Readonly<Record<PlainKind, T>> {
  return Object.fromEntries(plain.map((each) => [each.one, make(each)])) as Record<PlainKind, T>;
}

/** Descriptions of the sections of plain catalogs, in the reference of REST. */
export const plainSections = Object.fromEntries(plain.map(({ title, section }) => [title, section])) as Readonly<
  Record<PlainSection, string>
>;

const sentenceList = new Intl.ListFormat('en-GB');
export const allCatalogs: readonly Catalog[] = [positionCatalog, ...plain];
const allNouns = allCatalogs.map(({ nouns }) => nouns);

/** `positions and skill levels`: all catalogs, as descriptions name them. */
export const catalogNouns = sentenceList.format(allNouns);

/** The rows of the change log that have a number and no UUID. */
export const numberedNouns = sentenceList.format([...allNouns, 'users']);
