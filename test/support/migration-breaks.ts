import { loadModule, parseSync } from 'libpg-query';
import type { AlterTableCmd, Node } from 'libpg-query';

/*
 * Whether processes of the version before can work on while a migration is applied and after it: whether it only expands
 * the schema. Tables and columns that it adds are its own; of all others, what was accepted must stay accepted, and what
 * was there must stay there.
 */

await loadModule();

/** Statements that take nothing from another version, whatever they name. */
const harmless = [
  ...[
    'CreateFunctionStmt',
    'CreateTrigStmt',
    'CreateEnumStmt',
    'CreateSeqStmt',
    'CreateStatsStmt',
    'ViewStmt',
    'LockStmt',
    'CommentStmt',
    'VariableSetStmt',
  ],
  ...['InsertStmt', 'UpdateStmt', 'SelectStmt', 'DoStmt'],
];

/** Names without their schemas. */
function namesOf(objects: readonly Node[] = []): string[] {
  return objects.map((object) => {
    const last = 'List' in object ? object.List.items?.at(-1) : undefined;
    return last && 'String' in last ? (last.String.sval ?? '') : '';
  });
}

/** Describes the statements of migrations, in their order, that could break the version before. */
export function findMigrationBreaks(sql: string): string[] {
  const tables = new Set<string>();
  const columns = new Map<string, string[]>();
  const breaks: string[] = [];

  const usesOwnColumn = (table: string, node: unknown) =>
    (columns.get(table) ?? []).some((column) => JSON.stringify(node).includes(`"${column}"`));

  const readCommand = (table: string, { subtype, name = '', def }: AlterTableCmd) => {
    // How a table is stored and cleaned up.
    if (subtype === 'AT_SetRelOptions') return;
    if (subtype === 'AT_AddColumn' && def && 'ColumnDef' in def) {
      const { colname = '', constraints = [] } = def.ColumnDef;
      columns.set(table, [...(columns.get(table) ?? []), colname]);
      const kinds = constraints.map((each) => ('Constraint' in each ? each.Constraint.contype : undefined));
      if (kinds.includes('CONSTR_NOTNULL') && !kinds.includes('CONSTR_DEFAULT'))
        breaks.push(`${table}.${colname} is required, and has no default`);
    } else if (subtype === 'AT_AddConstraint') {
      if (!usesOwnColumn(table, def)) breaks.push(`a constraint on ${table} names no column that is added`);
    } else if (subtype !== 'AT_ValidateConstraint' && !(columns.get(table) ?? []).includes(name)) {
      breaks.push(`${subtype} of ${table}.${name}`);
    } else if (subtype === 'AT_SetNotNull' || (subtype === 'AT_ColumnDefault' && !def)) {
      breaks.push(`${subtype} of ${table}.${name}, which the version before does not write`);
    }
  };

  const read = (statement: Node) => {
    if ('CreateStmt' in statement) return void tables.add(statement.CreateStmt.relation?.relname ?? '');
    if ('AlterTableStmt' in statement) {
      const { relation, cmds = [] } = statement.AlterTableStmt;
      const table = relation?.relname ?? '';
      if (tables.has(table)) return;
      for (const each of cmds) if ('AlterTableCmd' in each) readCommand(table, each.AlterTableCmd);
      return;
    }
    if ('IndexStmt' in statement) {
      const { relation, unique = false, indexParams } = statement.IndexStmt;
      const table = relation?.relname ?? '';
      if (unique && !tables.has(table) && !usesOwnColumn(table, indexParams))
        breaks.push(`a unique index on ${table} names no column that is added`);
      return;
    }
    if ('DropStmt' in statement && statement.DropStmt.removeType === 'OBJECT_INDEX') {
      for (const name of namesOf(statement.DropStmt.objects)) breaks.push(`the index ${name} is dropped`);
      return;
    }
    const [kind = ''] = Object.keys(statement);
    if (!harmless.includes(kind)) breaks.push(`${kind} is not known to be harmless`);
  };

  for (const { stmt } of parseSync(sql).stmts ?? []) if (stmt) read(stmt);
  return breaks;
}
