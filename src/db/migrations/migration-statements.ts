/** Comments; ends of statements; and texts, names and bodies of functions, in which a semicolon ends nothing. */
const tokens =
  /(--[^\n]*|\/\*[^]*?\*\/)|(;)|\bE'(?:[^'\\]|\\[^]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[^]*?\$\3\$|[^]/gi;

export function statementsOf(script: string): string[] {
  const statements = [''];
  for (const [token, comment, end] of script.matchAll(tokens))
    if (end) statements.push('');
    else statements[statements.length - 1] += comment ? ' ' : token;
  return statements.map((statement) => statement.trim()).filter(Boolean);
}

const concurrently = /^(CREATE\s+(?:UNIQUE\s+)?INDEX|DROP\s+INDEX)\s+CONCURRENTLY\s+(IF\s+(?:NOT\s+)?EXISTS\s+)?/i;

/** A statement about an index that lets writes go on, and so cannot be part of a transaction. */
export interface LoneStatement {
  readonly sql: string;
  /** The index that it creates and that a failed try may have left unfinished, as SQL; null if it drops one. */
  readonly created: string | null;
  /** Whether a finished index of this name is left as it is. */
  readonly keepsFinished: boolean;
}

/** The statement of a script that has to run outside of a transaction; null for any other script. `schema`: where it works. */
export function loneStatementOf(script: string, schema: string | null): LoneStatement | null {
  const [statement = '', ...others] = statementsOf(script);
  const [head = '', , condition] = concurrently.exec(statement) ?? [];
  if (head === '' || others.length > 0) return null;
  const rest = statement.slice(head.length);
  const [name] = /^(?!ON\b)(?:"(?:[^"]|"")*"|[\w.]+)/i.exec(rest) ?? [];
  const prefix = schema === null ? '' : `"${schema.replaceAll('"', '""')}".`;
  const isDrop = /^DROP/i.test(head);
  return {
    // Behind a pooler, it runs in a session that has not got the search path.
    sql: head + (isDrop ? prefix + rest : rest.replace(/\bON\s+(ONLY\s+)?/i, `$&${prefix}`)),
    created: isDrop || name === undefined ? null : prefix + name,
    keepsFinished: condition !== undefined,
  };
}

/** The script for a database that nobody else uses meanwhile: such statements become ones that a transaction can have. */
export function inTransaction(script: string): string {
  return loneStatementOf(script, null)?.sql.replace(/\sCONCURRENTLY\b/i, '') ?? script;
}
