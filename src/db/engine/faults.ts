/**
 * Why the database cannot be used, and what operators are told about it. The texts name no host, role or value, because they are
 * shown to everybody; the log has the error itself.
 */
export const databaseFaults = {
  refused: 'The database server refuses connections: it is stopped, or it listens on another port.',
  unknown_host: 'The host name of the database is unknown: check DATABASE_URL and the name service.',
  unreachable: 'There is no way to the database over the network.',
  tls: 'TLS to the database cannot be agreed on: check sslmode and the certificates.',
  no_answer: 'The database does not answer in time: it is frozen, overloaded or cut off.',
  busy: 'All connections of this process to the database are in use, or the database does not answer on them.',
  too_many_connections:
    'The database accepts no further connections: raise max_connections or the limit of the role, or lower CALLBOARD_DB_POOL.',
  connection_lost: 'The connections to the database are cut: by the server, or by a pooler or proxy in front of it.',
  starting_or_stopping: 'The database server is starting up or shutting down.',
  log_in_refused: 'The database refuses the log-in: check user and password in DATABASE_URL, and pg_hba.conf.',
  no_database: 'The database that DATABASE_URL names does not exist.',
  permission: 'The role of DATABASE_URL lacks a right in the database: the log names it.',
  encoding: 'The database has an encoding or a character class that this service cannot use.',
  old_version: 'The version of PostgreSQL is too old.',
  row_security: 'Row security hides rows of the database from the role of DATABASE_URL.',
  disabled_triggers: 'Triggers of the database are disabled.',
  session: 'The sessions of the database are not as this service needs them.',
  read_only: 'The database accepts no writes: it is read-only.',
  disk_full: 'Writes fail because the disk of the database is full. Free some space on it; a restart is not needed.',
  failed: 'The database reports an unexpected error: the log has it.',
} as const satisfies Record<string, string>;

export type DatabaseFault = keyof typeof databaseFaults;
