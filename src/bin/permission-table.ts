import type { AttemptLimit } from '../config/limits.ts';
import type { OperationRecord } from '../access/operation-record.ts';

/** The records of operations as one table in Markdown, one line for each, so that a changed permission is one changed line. */
export function permissionTable(operations: readonly OperationRecord[]): string {
  return `# Permissions

Every operation of the service, printed from the records in \`src/services/\` by \`npm run generate\`. Do not edit it. A change in
this table is a change of who may do what: review it as such.

- **admin, staff, client, screen**: who may call it, and whose rows they then see. **anyone**: no credential is needed.
- **key**: a business API key may call it. **scope**: what the credential needs, all of it; every scope that writes includes \`read\`, and
  \`full\` includes all. An operation without scope is open to every credential of its roles. **writes**: it changes what is stored.
- **cacheable**: its answers may come from the response cache. **audited**: the audit trail has an entry for each call that changed something.
- **idempotent**: it can be repeated under an idempotency key. **part**: a caller who may not call it gets null in a larger answer.
- **attempts**: limits on tries beside the rate limit.

${[...header, ...operations.map(rowOf)].join('\n')}
`;
}

const columns = [
  'operation',
  'admin',
  'staff',
  'client',
  'screen',
  'anyone',
  'key',
  'scope',
  'writes',
  'cacheable',
  'audited',
  'idempotent',
  'part',
  'attempts',
];

const header = [lineOf(columns), lineOf(columns.map(() => '---'))];

function rowOf({
  name,
  roles,
  apiKey,
  scopes,
  moreScopes,
  writes,
  cacheable,
  audited,
  idempotent,
  isPart,
  attempts,
}: OperationRecord): string {
  const { admin = '', staff = '', client = '', screen = '' } = roles === 'anyone' ? {} : roles;
  const flags = [writes, cacheable, audited, idempotent !== null, isPart];
  return lineOf([
    `\`${name}\``,
    admin,
    staff,
    client,
    screen,
    markIf(roles === 'anyone'),
    markIf(apiKey),
    [...scopes.map(printScope), ...moreScopes.map((scope) => `${printScope(scope)} by input`)].join(', '),
    ...flags.map(markIf),
    attempts.map(printAttemptLimit).join('; '),
  ]);
}

const printScope = (scope: string): string => `\`${scope}\``;

const markIf = (isSet: boolean): string => (isSet ? 'yes' : '');

const printAttemptLimit = ({ by, field, of, max, windowS }: AttemptLimit): string =>
  `${max} ${of} in ${windowS} s by ${by}${field ? ` and ${field}` : ''}`;

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
