import pg from 'pg';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import { tables } from '../registry.ts';
import { isDenied, UnfitDatabase } from './failures.ts';
import type { DatabaseFault } from './faults.ts';

/** Oldest version of PostgreSQL that is supported. */
const oldestVersion = 14;

interface Fitness {
  readonly version: number;
  readonly encoding: string;
  readonly foldsCase: boolean;
  readonly database: string;
  readonly role: string;
  /** Null where no schema of the search path is there and can be used. */
  readonly schema: string | null;
  readonly searchPath: string;
  readonly canCreate: boolean;
  readonly isReadOnly: boolean;
  readonly isStandby: boolean;
  /** A right that is missing, and on what. */
  readonly missingRight: string | null;
  /** Tables with which something is wrong; null: none. */
  readonly securedTable: string | null;
  readonly untriggeredTable: string | null;
  readonly foreignTable: string | null;
  readonly foreignOwner: string | null;
}

const tableNames = [...tables.map(({ table }) => table), '_prisma_migrations'];

/** Case folding is tried, because names of locales do not tell it: Ü folds nowhere in C, and I to another letter in Turkish. */
const readFitness = Prisma.sql`
  WITH own AS (
    SELECT c.oid, c.relname::text AS name, c.relowner::regrole::text AS owner, pg_has_role(c.relowner, 'USAGE') AS "isOwned"
      FROM pg_class c
     WHERE c.relnamespace = to_regnamespace(quote_ident(current_schema())) AND c.relname = ANY (${tableNames})),
  missing AS (
    SELECT concat(wanted, ' on ', quote_ident(name)) AS "right"
      FROM own, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS wanted WHERE NOT has_table_privilege(oid, wanted)
    UNION ALL
    SELECT concat('USAGE on the sequence ', d.objid::regclass) FROM own
      JOIN pg_depend d ON d.refobjid = own.oid AND d.refclassid = 'pg_class'::regclass AND d.deptype = 'a'
      JOIN pg_class s ON s.oid = d.objid
     WHERE d.classid = 'pg_class'::regclass
       AND CASE s.relkind WHEN 'S' THEN NOT has_sequence_privilege(s.oid, 'USAGE') ELSE FALSE END)
  SELECT current_setting('server_version_num')::int / 10000 AS version, getdatabaseencoding()::text AS encoding,
         (SELECT lower(chr(letter)) = chr(letter + 32) AND chr(letter) ILIKE chr(letter + 32) AND lower('I') = 'i'
            FROM (SELECT CASE getdatabaseencoding() WHEN 'UTF8' THEN 220 ELSE 65 END AS letter) u) AS "foldsCase",
         current_database()::text AS database, current_user::text AS role, current_schema()::text AS schema,
         current_setting('search_path') AS "searchPath",
         coalesce(has_schema_privilege(current_schema(), 'CREATE'), FALSE) AS "canCreate",
         current_setting('transaction_read_only')::boolean AS "isReadOnly", pg_is_in_recovery() AS "isStandby",
         (SELECT min("right") FROM missing) AS "missingRight",
         (SELECT min(name) FROM own WHERE row_security_active(oid)) AS "securedTable",
         (SELECT min(name) FROM own JOIN pg_trigger t ON t.tgrelid = own.oid AND t.tgenabled IN ('D', 'R')) AS "untriggeredTable",
         (SELECT min(name) FROM own WHERE NOT "isOwned") AS "foreignTable",
         (SELECT min(owner) FROM own WHERE NOT "isOwned") AS "foreignOwner"`;

/**
 * Throws `UnfitDatabase` if the database lacks what the service relies on. `migrates`: whether the schema is about to be changed,
 * which needs more rights.
 */
export async function requireFit(prisma: PrismaClient, { migrates = false } = {}): Promise<void> {
  const [fitness] = await prisma.$queryRaw<Fitness[]>(readFitness).catch((error: unknown) => {
    if (!isDenied(error)) throw error;
    const advice = 'Its owner grants what is missing: GRANT CONNECT ON DATABASE <name> TO <role>.';
    throw new UnfitDatabase('permission', `The role may not use the database. ${advice}`, { cause: error });
  });
  if (!fitness) return;
  const [fault, message] = findFault(fitness) ?? (migrates ? findMigrationFault(fitness) : null) ?? [];
  if (fault !== undefined && message !== undefined) throw new UnfitDatabase(fault, message);
}

const quoted = (name: string) => pg.escapeIdentifier(name);

function findFault(fitness: Fitness): [DatabaseFault, string] | null {
  const { version, encoding, database, schema, searchPath, missingRight, securedTable, untriggeredTable } = fitness;
  const role = quoted(fitness.role);
  const provider = version >= 15 ? ' LOCALE_PROVIDER libc' : '';
  const anew = `It cannot be changed: dump the data, and restore them into a database that is made by CREATE DATABASE ${quoted(`${database}_utf8`)} TEMPLATE template0 ENCODING 'UTF8'${provider} LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'.`;
  if (version < oldestVersion)
    return ['old_version', `PostgreSQL ${version} is too old. Version ${oldestVersion} or newer is needed.`];
  if (encoding !== 'UTF8')
    return ['encoding', `The database ${quoted(database)} has the encoding ${encoding} instead of UTF8. ${anew}`];
  if (!fitness.foldsCase)
    return [
      'encoding',
      `The character class (LC_CTYPE) of the database ${quoted(database)} does not fold case: in it, lower('Ü') is not 'ü', or lower('I') is not 'i'. ${anew}`,
    ];
  if (schema === null)
    return [
      'permission',
      `The role ${role} can use no schema of its search path, which is ${searchPath}. The owner of the database runs GRANT USAGE, CREATE ON SCHEMA public TO ${role}, or CREATE SCHEMA <name> AUTHORIZATION ${role} for the schema that DATABASE_URL names.`,
    ];
  if (missingRight !== null)
    return [
      'permission',
      `The role ${role} lacks the right ${missingRight}. The owner of the tables runs GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${quoted(schema)} TO ${role}; GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${quoted(schema)} TO ${role}.`,
    ];
  if (securedTable !== null)
    return [
      'row_security',
      `Row security hides rows of ${securedTable} from the role ${role}. The owner runs ALTER TABLE ${securedTable} DISABLE ROW LEVEL SECURITY.`,
    ];
  if (untriggeredTable !== null)
    return [
      'disabled_triggers',
      `Triggers of ${untriggeredTable} are disabled. A superuser runs ALTER TABLE ${untriggeredTable} ENABLE TRIGGER ALL.`,
    ];
  return null;
}

function findMigrationFault(fitness: Fitness): [DatabaseFault, string] | null {
  const { schema, database, foreignTable, foreignOwner } = fitness;
  const role = quoted(fitness.role);
  if (fitness.isStandby) return ['read_only', 'The database cannot be migrated, because this server is a standby.'];
  if (fitness.isReadOnly)
    return [
      'read_only',
      `The database cannot be migrated, because default_transaction_read_only is on. Its owner runs ALTER DATABASE ${quoted(database)} SET default_transaction_read_only = off; a role may have a setting of its own.`,
    ];
  if (!fitness.canCreate)
    return [
      'permission',
      `The role ${role} lacks the right CREATE on the schema ${schema}. Its owner runs GRANT CREATE ON SCHEMA ${quoted(schema ?? '')} TO ${role}.`,
    ];
  if (foreignTable !== null)
    return [
      'permission',
      `The table ${foreignTable} belongs to ${foreignOwner}, and only its owner can migrate it. Migrate as that role, or let it run GRANT ${foreignOwner} TO ${role}.`,
    ];
  return null;
}
