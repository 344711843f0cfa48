import { columnOf, type Table } from '../../db/registry.ts';

/** Sends SQL without parameters to a database whose schema is looked at. */
export type Query = <Row>(sql: string) => Promise<Row[]>;

interface StoredTrigger {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** Finds the statements that give the database the triggers of the registry; none if it has them. */
export async function findTriggerChanges(query: Query, tables: readonly Table[]): Promise<string[]> {
  const stored = await query<StoredTrigger>(`
    SELECT c.relname::text AS "table", t.tgname::text AS name, pg_get_triggerdef(t.oid, TRUE) AS definition
      FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace
     ORDER BY c.relname, t.tgname`);
  return tables.flatMap((table) => {
    const wanted = new Map(triggersOf(table).map((statement) => [nameIn(statement), statement]));
    const own = stored.filter((trigger) => trigger.table === table.table);
    const right = own.filter(({ name, definition }) => isSame(wanted.get(name) ?? '', definition));
    return [
      ...own
        .filter((trigger) => !right.includes(trigger))
        .map(({ name }) => `DROP TRIGGER "${name}" ON "${table.table}";`),
      ...[...wanted].filter(([name]) => !right.some((trigger) => trigger.name === name)).map(([, sql]) => `${sql};`),
    ];
  });
}

/** One statement for each trigger that the registry asks for on a table. Their functions stand in the migrations. */
export function triggersOf(entry: Table): string[] {
  const { table, businessField, versioned, raisesRevision, logged, triggers } = entry;
  const statements = Object.entries(triggers).map(([name, rest]) => `CREATE TRIGGER ${name} ${rest}`);
  if (versioned)
    statements.push(
      `CREATE TRIGGER count_version BEFORE UPDATE ON "${table}" FOR EACH ROW EXECUTE FUNCTION count_version()`,
    );
  if (raisesRevision)
    statements.push(...(businessField === 'id' ? revisionOfBusinesses(table) : revisionOfRows(table)));
  if (logged) statements.push(...logOf(entry));
  return statements;
}

/** Deferred, so that the row of the business is the last that a transaction locks. */
const revisionOfBusinesses = (table: string) => [
  `CREATE CONSTRAINT TRIGGER revise AFTER INSERT OR UPDATE ON "${table}" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (is_first_change(NEW.id)) EXECUTE FUNCTION revise_business()`,
];

/** An update that leaves a row as it is changes nothing. */
const isChanged = 'OLD.* IS DISTINCT FROM NEW.*';

const revisionOfRows = (table: string) =>
  [
    ['insert', 'is_first_change(NEW.business_id)'],
    ['update', `${isChanged} AND (NEW.business_id <> OLD.business_id OR is_first_change(OLD.business_id))`],
    ['delete', 'is_first_change(OLD.business_id)'],
  ].map(
    ([change = '', condition]) =>
      `CREATE CONSTRAINT TRIGGER revise_on_${change} AFTER ${change.toUpperCase()} ON "${table}" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION revise_business_of_row()`,
  );

/** Columns that each change would change. */
const countedColumns = ['business_id', 'version', 'modified_at', 'updated_at'];

function logOf({ table, unlogged }: Table): string[] {
  const left = [...countedColumns, ...unlogged.map(columnOf)].join(',');
  return [
    ['insert', 'NEW TABLE AS added'],
    ['update', 'OLD TABLE AS removed NEW TABLE AS added'],
    ['delete', 'OLD TABLE AS removed'],
  ].map(
    ([change = '', rows]) =>
      `CREATE TRIGGER log_${change} AFTER ${change.toUpperCase()} ON "${table}" REFERENCING ${rows}
  FOR EACH STATEMENT EXECUTE FUNCTION log_${change}('{${left}}')`,
  );
}

const nameIn = (statement: string): string => /TRIGGER (\w+)/.exec(statement)?.[1] ?? '';

/** PostgreSQL writes a definition with other quotes, brackets, spaces and cases than it was given. */
const isSame = (one: string, other: string): boolean => bare(one) === bare(other);
const bare = (definition: string): string => definition.toLowerCase().replaceAll(/["()\s]/g, '');
