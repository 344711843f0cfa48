import { loadModule, parseSync } from 'libpg-query';
import type { A_Expr, JoinExpr, Node, RangeVar, SelectStmt, SubLink, WithClause } from 'libpg-query';
import { columnOf, tables } from '../../src/db/registry.ts';

/*
 * Whether a statement says of each tenant table that it names which business is meant. It is read with PostgreSQL's own
 * parser. A reference to a table is bound where a condition that its rows must meet makes its business equal to a parameter,
 * or to the business of a reference that is bound. What is not understood counts as not bound.
 */

await loadModule();

const businessColumns = new Map(
  tables.flatMap(({ table, businessField }) =>
    businessField === null ? [] : [[table, columnOf(businessField)] as const],
  ),
);

interface Exception {
  readonly why: string;
  readonly sql: RegExp;
  readonly tables: readonly string[];
  /** Whether it reads closed businesses as well: it finds neither a caller nor work whose effect leaves the service. */
  readonly ofClosed?: true;
}

/** Statements that cross businesses by design: what makes each recognisable, and the tables it may read unbound. */
const exceptions: readonly Exception[] = [
  { why: 'a log-in names no business', sql: /"users"\."email_key" = \$1/, tables: ['users'] },
  { why: 'an API key names no business', sql: /k\.public_id = \$1/, tables: ['api_keys'] },
  { why: 'a board token names no business', sql: /s\.public_id = \$1/, tables: ['screens'] },
  { why: 'the address of a feed names no business', sql: /f\.public_id = \$2/, tables: ['feeds'] },
  { why: 'a cookie names no business', sql: /"sessions"."public_id" = \$1/, tables: ['sessions'] },
  {
    why: 'the link of an invitation names no business',
    sql: /"invitations"\."secret_hash" = \$1/,
    tables: ['invitations'],
  },
  {
    why: 'the link in a mail names no business',
    sql: /"mails"\."secret_hash" = \$\d|m\.secret_hash = \$1/,
    tables: ['mails'],
  },
  {
    why: 'jobs look for mails to send in every business',
    sql: /FROM business_revisions r LEFT JOIN mail_cursors c/,
    tables: ['business_revisions', 'mail_cursors', 'mails'],
  },
  {
    why: 'jobs look for businesses that remind their staff',
    sql: /FROM mail_cursors c JOIN businesses b/,
    tables: ['mail_cursors', 'businesses'],
  },
  { why: 'the code of a screen names no business', sql: /s\.code = ANY\(\$1/, tables: ['screens'] },
  {
    why: 'stored answers expire in every business',
    sql: /DELETE FROM idempotency_keys k USING expired/,
    tables: ['idempotency_keys'],
    ofClosed: true,
  },
  {
    why: 'the log-ins of the demo businesses are public',
    sql: /WHERE b\.is_demo AND u\.email_key IN/,
    tables: ['businesses', 'users'],
    ofClosed: true,
  },
  {
    why: 'a process that begins to deliver encrypts the secrets of all businesses under its first key',
    sql: /e\.secret, e\.previous_secret AS "previousSecret" FROM webhook_endpoints e/,
    tables: ['webhook_endpoints'],
    ofClosed: true,
  },
  {
    why: 'jobs look for work in every business',
    sql: /FROM webhook_endpoints e JOIN business_revisions r/,
    tables: ['webhook_endpoints', 'business_revisions'],
  },
  {
    why: 'jobs look for businesses that listen',
    sql: /FROM businesses b\s+WHERE EXISTS \(SELECT 1 FROM webhook_endpoints e/,
    tables: ['businesses', 'webhook_endpoints'],
  },
  {
    why: 'jobs end the offers and swaps of every business',
    sql: /SELECT DISTINCT due\.business_id/,
    tables: ['offer_recipients', 'offers', 'shift_swaps'],
  },
  {
    why: 'jobs delete the old offers and swaps of every business',
    sql: /DELETE FROM (offers|shift_swaps)\s+WHERE ctid = ANY/,
    tables: ['offer_recipients', 'offers', 'shift_swaps'],
    ofClosed: true,
  },
  {
    why: 'jobs close the forgotten check-outs of every business',
    sql: /SELECT DISTINCT a\.business_id AS id FROM attendance a/,
    tables: ['attendance', 'work_shifts'],
  },
  {
    why: 'the metrics are those of all businesses',
    sql: /AS "lateS"[^;]*FROM webhook_endpoints e/,
    tables: ['webhook_endpoints'],
  },
  { why: 'the metrics are those of all businesses', sql: /AS "lateS"\s+FROM mails m/, tables: ['mails'] },
];

/** One naming of a tenant table. */
interface Reference {
  readonly table: string;
  readonly alias: string;
  isBound: boolean;
}

/** The references whose business a value is; none, where it is a parameter. Null: it is not known to name a business. */
type Business = readonly Reference[] | null;

interface Column {
  readonly name: string;
  readonly business: Business;
}

/** The columns of a query or of an item of FROM, as far as they are known, and the references that a condition on them binds. */
interface Relation {
  readonly columns: readonly Column[];
  /** Whether all columns are known, in their order. */
  readonly isComplete: boolean;
  readonly references: readonly Reference[];
}

interface Source extends Relation {
  readonly name: string;
}

interface Scope {
  readonly sources: Source[];
  readonly parent: Scope | null;
  readonly ctes: Map<string, Relation>;
}

/** Two values that are equal in each row of those references. */
interface Equality {
  readonly values: readonly [readonly Reference[], readonly Reference[]];
  readonly binds: ReadonlySet<Reference>;
}

/** The references of a statement that nothing binds to a business, as `table alias`. */
export function findUnboundTables(sql: string): string[] {
  const known = verdicts.get(sql);
  if (known) return known;
  const verdict = new Reading(sql).unbound();
  verdicts.set(sql, verdict);
  return verdict;
}

const verdicts = new Map<string, string[]>();

const nothing: Relation = { columns: [], isComplete: true, references: [] };

class Reading {
  readonly #references: Reference[] = [];
  readonly #equalities: Equality[] = [];
  readonly #namings = new Set<RangeVar>();
  readonly #subqueries = new Map<SubLink, Relation>();
  readonly #problems: string[] = [];

  constructor(sql: string) {
    const statements = (parseSync(sql).stmts ?? []).flatMap(({ stmt }) => (stmt ? [stmt] : []));
    for (const statement of statements) this.#query(statement, null, new Map());
    for (const naming of namingsIn(statements))
      if (businessColumns.has(naming.relname ?? '') && !this.#namings.has(naming))
        this.#problems.push(`${naming.relname} (in a place that is not understood)`);
    this.#propagate();
    for (const exception of exceptions.filter((each) => each.sql.test(sql))) {
      const crossing = this.#references.filter(({ table, isBound }) => !isBound && exception.tables.includes(table));
      if (crossing.length > 0 && !exception.ofClosed && !/closed_at"? IS NULL/.test(sql))
        this.#problems.push(`${exception.tables.join(', ')} (of closed businesses as well)`);
      for (const reference of crossing) reference.isBound = true;
    }
    this.#propagate();
  }

  unbound(): string[] {
    const open = this.#references.filter(({ isBound }) => !isBound);
    return [...open.map(({ table, alias }) => `${table} ${alias}`), ...this.#problems];
  }

  #propagate(): void {
    const isBound = (value: readonly Reference[]) => value.every((reference) => reference.isBound);
    for (let isChanged = true; isChanged;) {
      isChanged = false;
      for (const { values, binds } of this.#equalities)
        for (const [from, to] of [values, values.toReversed() as [Reference[], Reference[]]])
          for (const reference of isBound(from) ? to : [])
            if (!reference.isBound && binds.has(reference)) reference.isBound = isChanged = true;
    }
  }

  #query(node: Node, parent: Scope | null, ctes: ReadonlyMap<string, Relation>): Relation {
    const scope: Scope = { sources: [], parent, ctes: new Map(ctes) };
    if ('SelectStmt' in node) return this.#select(node.SelectStmt, scope);
    if ('InsertStmt' in node) return this.#insert(node.InsertStmt, scope);
    if ('UpdateStmt' in node) {
      const { relation, fromClause, ...statement } = node.UpdateStmt;
      return this.#change({ ...statement, relation, from: fromClause }, scope);
    }
    if ('DeleteStmt' in node) {
      const { relation, usingClause, ...statement } = node.DeleteStmt;
      return this.#change({ ...statement, relation, from: usingClause }, scope);
    }
    return nothing;
  }

  #select(statement: SelectStmt, scope: Scope): Relation {
    this.#with(statement.withClause, scope);
    const { larg, rarg, fromClause, whereClause, valuesLists, targetList, ...rest } = statement;
    if (larg && rarg) {
      const [left, right] = [larg, rarg].map((part) => this.#query({ SelectStmt: part }, scope.parent, scope.ctes));
      this.#subqueriesIn([rest.sortClause, rest.limitCount, rest.limitOffset], scope);
      return union(left ?? nothing, right ?? nothing);
    }
    const references = this.#from(fromClause ?? [], scope);
    this.#subqueriesIn([valuesLists, targetList, whereClause, rest], scope);
    this.#conditions(whereClause, scope, references);
    if (valuesLists) return this.#values(valuesLists, scope);
    return { ...this.#output(targetList ?? [], scope), references };
  }

  #values(rows: readonly Node[], scope: Scope): Relation {
    const items = rows.map(itemsOf);
    const columns = (items[0] ?? []).map((_, index) => ({
      name: `column${index + 1}`,
      business: all(items.map((row) => this.#business(row[index], scope))),
    }));
    return { columns, isComplete: true, references: [] };
  }

  #insert(statement: Extract<Node, { InsertStmt: unknown }>['InsertStmt'], scope: Scope): Relation {
    this.#with(statement.withClause, scope);
    const { relation, cols = [], selectStmt, onConflictClause, returningClause } = statement;
    const rows = selectStmt ? this.#query(selectStmt, scope.parent, scope.ctes) : nothing;
    const target = this.#table(relation, scope);
    const [reference] = target.references;
    if (reference) {
      const column = businessColumns.get(reference.table) ?? '';
      const index = cols.findIndex((col) => 'ResTarget' in col && col.ResTarget.name === column);
      const business = rows.isComplete ? rows.columns[index]?.business : null;
      // A new business has no other before it.
      if (reference.table === 'businesses') reference.isBound = true;
      else if (business) this.#equal([reference], business, [reference]);
      const infers = (onConflictClause?.infer?.indexElems ?? []).some(
        (element) => 'IndexElem' in element && element.IndexElem.name === column,
      );
      if (onConflictClause?.action === 'ONCONFLICT_UPDATE' && !infers)
        this.#problems.push(`${reference.table} (its row in conflict may be of another business)`);
    }
    this.#subqueriesIn([onConflictClause, returningClause], scope);
    return { ...this.#output(returningClause?.exprs ?? [], scope), references: [] };
  }

  /** UPDATE and DELETE. */
  #change(
    statement: {
      readonly relation?: RangeVar | undefined;
      readonly from?: Node[] | undefined;
      readonly targetList?: Node[];
      readonly whereClause?: Node;
      readonly withClause?: WithClause;
      readonly returningClause?: { readonly exprs?: Node[] };
    },
    scope: Scope,
  ): Relation {
    this.#with(statement.withClause, scope);
    const { relation, from = [], targetList = [], whereClause, returningClause } = statement;
    const target = this.#table(relation, scope);
    const references = [...target.references, ...this.#from(from, scope)];
    this.#subqueriesIn([targetList, whereClause, returningClause], scope);
    this.#conditions(whereClause, scope, references);
    for (const { table } of target.references)
      if (targetList.some((set) => 'ResTarget' in set && set.ResTarget.name === businessColumns.get(table)))
        this.#problems.push(`${table} (moves a row into another business)`);
    return { ...this.#output(returningClause?.exprs ?? [], scope), references: [] };
  }

  /** Conditions outside a common table expression bind nothing in it: it may be named a second time without them. */
  #with(clause: WithClause | undefined, scope: Scope): void {
    for (const node of clause?.ctes ?? []) {
      if (!('CommonTableExpr' in node)) continue;
      const { ctename = '', aliascolnames, ctequery } = node.CommonTableExpr;
      if (!ctequery) continue;
      const ctes = new Map(scope.ctes);
      if (clause?.recursive) {
        // Its own rows are those of the part before UNION.
        const first = 'SelectStmt' in ctequery ? ctequery.SelectStmt.larg : undefined;
        if (first) ctes.set(ctename, renamed(this.#query({ SelectStmt: first }, scope.parent, ctes), aliascolnames));
      }
      const relation = this.#query(ctequery, scope.parent, ctes);
      scope.ctes.set(ctename, { ...renamed(relation, aliascolnames), references: [] });
    }
  }

  #from(items: readonly Node[], scope: Scope): Reference[] {
    return items.flatMap((item) => this.#fromItem(item, scope).flatMap(({ references }) => references));
  }

  #fromItem(item: Node, scope: Scope): Source[] {
    const add = (name: string | undefined, relation: Relation): Source[] => {
      const source = { ...relation, name: name ?? '' };
      scope.sources.push(source);
      return [source];
    };
    if ('RangeVar' in item) return [this.#table(item.RangeVar, scope)];
    if ('JoinExpr' in item) return this.#join(item.JoinExpr, scope);
    if ('RangeSubselect' in item) {
      const { lateral, subquery, alias } = item.RangeSubselect;
      const relation = subquery ? this.#query(subquery, lateral ? scope : scope.parent, scope.ctes) : nothing;
      return add(alias?.aliasname, renamed(relation, alias?.colnames));
    }
    this.#subqueriesIn(item, scope);
    if ('RangeFunction' in item) {
      const { alias, coldeflist = [], functions } = item.RangeFunction;
      const names = [...namesIn(alias?.colnames), ...coldeflist.map(definedName)];
      // Rows that are made of parameters alone name what the service names.
      const business: Business = hasColumn(functions) ? null : [];
      const columns = names.map((name) => ({ name, business }));
      return add(alias?.aliasname, { columns, isComplete: false, references: [] });
    }
    return [];
  }

  #table(naming: RangeVar | undefined, scope: Scope): Source {
    const table = naming?.relname ?? '';
    const name = naming?.alias?.aliasname ?? table;
    const cte = naming?.schemaname === undefined ? scope.ctes.get(table) : undefined;
    if (naming) this.#namings.add(naming);
    const column = businessColumns.get(table);
    let relation = cte ?? { ...nothing, isComplete: false };
    if (!cte && column !== undefined) {
      const reference = { table, alias: name, isBound: false };
      this.#references.push(reference);
      relation = { columns: [{ name: column, business: [reference] }], isComplete: false, references: [reference] };
    }
    const source = { ...relation, name };
    scope.sources.push(source);
    return source;
  }

  /** The condition of an outer join binds only the side that it leaves out where it does not hold. */
  #join({ larg, rarg, jointype, quals, usingClause }: JoinExpr, scope: Scope): Source[] {
    const left = larg ? this.#fromItem(larg, scope) : [];
    const right = rarg ? this.#fromItem(rarg, scope) : [];
    const [leftReferences, rightReferences] = [left, right].map((side) => side.flatMap(({ references }) => references));
    const binds = [
      ...(jointype === 'JOIN_INNER' || jointype === 'JOIN_RIGHT' ? (leftReferences ?? []) : []),
      ...(jointype === 'JOIN_INNER' || jointype === 'JOIN_LEFT' ? (rightReferences ?? []) : []),
    ];
    this.#subqueriesIn(quals, scope);
    this.#conditions(quals, scope, binds);
    for (const name of namesIn(usingClause)) this.#equal(columnIn(left, name), columnIn(right, name), binds);
    return [...left, ...right];
  }

  /** Takes down what a condition makes equal, where it must hold. */
  #conditions(condition: Node | undefined, scope: Scope, binds: readonly Reference[]): void {
    if (!condition) return;
    if ('BoolExpr' in condition) {
      const { boolop, args = [] } = condition.BoolExpr;
      if (boolop === 'AND_EXPR') for (const arg of args) this.#conditions(arg, scope, binds);
    } else if ('A_Expr' in condition && isEquality(condition.A_Expr)) {
      const { kind, lexpr, rexpr } = condition.A_Expr;
      const lists = kind === 'AEXPR_IN' ? itemsOf(rexpr) : [rexpr];
      for (const [index, part] of partsOf(lexpr).entries())
        this.#equal(
          this.#business(part, scope),
          all(lists.map((item) => this.#business(partsOf(item)[index], scope))),
          binds,
        );
    } else if ('SubLink' in condition && condition.SubLink.subLinkType === 'ANY_SUBLINK') {
      const { testexpr, operName } = condition.SubLink;
      const { columns, isComplete } = this.#subquery(condition.SubLink, scope);
      if ((operName ?? []).some((name) => stringOf(name) !== '=') || !isComplete) return;
      for (const [index, part] of partsOf(testexpr).entries())
        this.#equal(this.#business(part, scope), columns[index]?.business ?? null, binds);
    }
  }

  #equal(one: Business, other: Business, binds: readonly Reference[]): void {
    if (one && other) this.#equalities.push({ values: [one, other], binds: new Set(binds) });
  }

  #business(value: Node | undefined, scope: Scope): Business {
    if (!value) return null;
    if ('ParamRef' in value) return [];
    if ('TypeCast' in value) return this.#business(value.TypeCast.arg, scope);
    if ('ColumnRef' in value) return findColumn(namesIn(value.ColumnRef.fields), scope);
    if ('SubLink' in value && value.SubLink.subLinkType === 'EXPR_SUBLINK')
      return this.#subquery(value.SubLink, scope).columns[0]?.business ?? null;
    return null;
  }

  #output(targets: readonly Node[], scope: Scope): Omit<Relation, 'references'> {
    let isComplete = true;
    const columns = targets.flatMap((target): Column[] => {
      if (!('ResTarget' in target)) return [];
      const { name, val } = target.ResTarget;
      if (!val || !('ColumnRef' in val)) return [{ name: name ?? '', business: this.#business(val, scope) }];
      const { fields = [] } = val.ColumnRef;
      if (!fields.some((field) => 'A_Star' in field))
        return [{ name: name ?? namesIn(fields).at(-1) ?? '', business: this.#business(val, scope) }];
      const [of] = namesIn(fields).slice(-1);
      const sources = scope.sources.filter((source) => of === undefined || source.name === of);
      isComplete &&= sources.every((source) => source.isComplete);
      return sources.flatMap((source) => source.columns);
    });
    return { columns, isComplete };
  }

  #subquery(link: SubLink, scope: Scope): Relation {
    const known = this.#subqueries.get(link);
    if (known) return known;
    const relation = link.subselect ? this.#query(link.subselect, scope, scope.ctes) : nothing;
    this.#subqueries.set(link, relation);
    return relation;
  }

  /** Reads the queries within an expression. */
  #subqueriesIn(part: unknown, scope: Scope): void {
    visit(part, (key, value) => {
      if (key !== 'SubLink') return true;
      const link = value as SubLink;
      this.#subquery(link, scope);
      this.#subqueriesIn(link.testexpr, scope);
      return false;
    });
  }
}

/** Calls `enter` with each node below, by the key it stands under, and goes into those for which that is true. */
function visit(part: unknown, enter: (key: string, value: unknown) => boolean): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [key, value] of Object.entries(part)) if (enter(key, value)) visit(value, enter);
}

/** Every naming of a table, wherever it stands. Those that INSERT, UPDATE and DELETE change stand under `relation`. */
function namingsIn(part: unknown): RangeVar[] {
  const found: RangeVar[] = [];
  visit(part, (key, value) => {
    if (key === 'RangeVar' || (key === 'relation' && typeof value === 'object')) found.push(value as RangeVar);
    return true;
  });
  return found;
}

function hasColumn(part: unknown): boolean {
  let isFound = false;
  visit(part, (key) => {
    isFound ||= key === 'ColumnRef' || key === 'SubLink';
    return !isFound;
  });
  return isFound;
}

function findColumn(names: readonly string[], scope: Scope | null): Business {
  const [column = '', table] = names.toReversed();
  for (let at = scope; at; at = at.parent) {
    const sources = table === undefined ? at.sources : at.sources.filter(({ name }) => name === table).slice(-1);
    const found = sources.flatMap(({ columns }) => columns).find(({ name }) => name === column);
    if (found) return found.business;
    if (table !== undefined && sources.length > 0) return null;
  }
  return null;
}

const columnIn = (sources: readonly Source[], column: string): Business =>
  sources.flatMap(({ columns }) => columns).find(({ name }) => name === column)?.business ?? null;

/** The business of a value that is one of these: bound where they all are. */
const all = (values: readonly Business[]): Business =>
  values.includes(null) ? null : values.flatMap((it) => it ?? []);

function union(left: Relation, right: Relation): Relation {
  const isComplete = left.isComplete && right.isComplete;
  const columns = left.columns.map(({ name, business }, index) => ({
    name,
    business: all([business, (isComplete ? right.columns[index] : columnNamed(right, name))?.business ?? null]),
  }));
  return { columns, isComplete, references: [...left.references, ...right.references] };
}

const columnNamed = ({ columns }: Relation, wanted: string) => columns.find(({ name }) => name === wanted);

function renamed(relation: Relation, names: Node[] | undefined): Relation {
  const given = namesIn(names);
  if (given.length === 0) return relation;
  if (!relation.isComplete) return { ...relation, columns: given.map((name) => ({ name, business: null })) };
  return {
    ...relation,
    columns: relation.columns.map((column, index) => ({ ...column, name: given[index] ?? column.name })),
  };
}

function isEquality({ kind, name = [] }: A_Expr): boolean {
  const kinds = ['AEXPR_OP', 'AEXPR_IN', 'AEXPR_OP_ANY'];
  return kinds.includes(kind ?? '') && name.every((part) => stringOf(part) === '=');
}

const stringOf = (node: Node): string | undefined => ('String' in node ? node.String.sval : undefined);
const namesIn = (nodes: readonly Node[] | undefined): string[] => (nodes ?? []).flatMap((node) => stringOf(node) ?? []);
const definedName = (node: Node): string => ('ColumnDef' in node ? (node.ColumnDef.colname ?? '') : '');

const itemsOf = (node: Node | undefined): Node[] => (node && 'List' in node ? (node.List.items ?? []) : []);

/** The parts of a row, or the value itself. */
const partsOf = (node: Node | undefined): Node[] =>
  node && 'RowExpr' in node ? (node.RowExpr.args ?? []) : node ? [node] : [];
