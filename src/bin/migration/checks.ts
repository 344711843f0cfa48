import { columnOf, type Table, type TextLength, type TextRule } from '../../db/registry.ts';
import type { Query } from './triggers.ts';

interface StoredCheck {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
  readonly columns: readonly string[];
}

export interface CheckChanges {
  /** SQL that gives the database the length checks of the registry. */
  readonly statements: string[];
  /** Checks that only the author of the migration can write. */
  readonly advice: string[];
}

export async function findCheckChanges(query: Query, tables: readonly Table[]): Promise<CheckChanges> {
  const stored = await query<StoredCheck>(`
    SELECT c.relname::text AS "table", k.conname::text AS name, pg_get_constraintdef(k.oid, TRUE) AS definition,
           ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = ANY (k.conkey)) AS columns
      FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
     WHERE k.contype = 'c' AND c.relnamespace = current_schema()::regnamespace
     ORDER BY k.conname`);
  const changes: CheckChanges = { statements: [], advice: [] };
  for (const { table, texts } of tables)
    for (const [field, rule] of Object.entries(texts)) {
      const column = columnOf(field);
      const checks = stored.filter((check) => check.table === table && check.columns.includes(column));
      compare(table, column, rule, checks, changes);
    }
  return changes;
}

function compare(table: string, column: string, rule: TextRule, checks: StoredCheck[], changes: CheckChanges): void {
  const place = `${table}.${column}`;
  if (rule === 'ownCheck') {
    if (checks.length === 0)
      changes.advice.push(`${place} has 'ownCheck' in the registry but no CHECK: write one into the migration.`);
    return;
  }
  const [bounding] = checks.filter(({ definition }) => lengthIn(definition, column) !== null);
  if (rule === 'unchecked') {
    if (bounding)
      changes.advice.push(`${place} is 'unchecked' in the registry but has ${bounding.name}: say its length there.`);
    return;
  }
  const add = `ALTER TABLE "${table}" ADD CONSTRAINT "${table}_${column}_check" CHECK (${checkOf(column, rule)});`;
  if (!bounding) changes.statements.push(add);
  else if (!isAsRuled(lengthIn(bounding.definition, column), rule)) {
    if (isOfLengthAlone(bounding, column))
      changes.statements.push(`ALTER TABLE "${table}" DROP CONSTRAINT "${bounding.name}";`, add);
    else
      changes.advice.push(
        `${place}: ${bounding.name} differs from the registry and checks more than a length. Replace it by hand: ${bounding.definition}`,
      );
  }
}

function checkOf(column: string, { maxChars, minChars = 0, isNotBlank }: TextLength): string {
  const length = minChars > 0 ? `BETWEEN ${minChars} AND ${maxChars}` : `<= ${maxChars}`;
  return `char_length("${column}") ${length}${isNotBlank ? ` AND "${column}" ~ '[^[:space:]]'` : ''}`;
}

/** The length that a CHECK allows, as PostgreSQL writes it; null where it says nothing of length. */
function lengthIn(definition: string, column: string): TextLength | null {
  const bare = definition.replaceAll('"', '');
  const bound = (operator: string) => {
    const [, chars] = new RegExp(`char_length\\(${column}\\) ${operator} (\\d+)`).exec(bare) ?? [];
    return chars === undefined ? null : Number(chars);
  };
  const maxChars = bound('<=');
  if (maxChars === null) return null;
  const isNotBlank = bare.includes(`${column} ~ '[^[:space:]]'`);
  return { maxChars, minChars: bound('>=') ?? 0, ...(isNotBlank && { isNotBlank }) };
}

const isAsRuled = (length: TextLength | null, rule: TextLength): boolean =>
  length?.maxChars === rule.maxChars &&
  (length.minChars ?? 0) === (rule.minChars ?? 0) &&
  length.isNotBlank === rule.isNotBlank;

function isOfLengthAlone({ definition }: StoredCheck, column: string): boolean {
  const part = `(char_length\\(${column}\\) [<>]= \\d+|${column} ~ '\\[\\^\\[:space:\\]\\]'(::text)?)`;
  return new RegExp(`^CHECK \\(${part}( AND ${part})*\\)$`).test(definition.replaceAll('"', ''));
}
