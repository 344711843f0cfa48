/** Other rows that a row points to, by the field that shows them. */
const others = ['business', 'client', 'user', 'callTime', 'skillLevel'];

/**
 * A row of GraphQL with the numbers of the rows that it points to, as the database has them: `clientId` for `client { databaseId }`,
 * and the title and the number of its position. Lists are flattened too.
 */
// oxlint-disable-next-line no-explicit-any -- tests look into answers freely
export function flattenRow(row: any): any {
  if (Array.isArray(row)) return row.map(flattenRow);
  if (typeof row !== 'object' || row === null) return row;
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
      const { databaseId, title } = (value ?? {}) as { databaseId?: number; title?: string };
      if (name === 'position')
        return [
          ['position', title],
          ['positionId', databaseId],
        ];
      return others.includes(name) ? [[`${name}Id`, databaseId ?? null]] : [[name, flattenRow(value)]];
    }),
  );
}
