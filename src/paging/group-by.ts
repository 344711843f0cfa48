/** Groups rows by their parent's id. The returned function looks up a parent's rows, in the order in which they came. */
export function groupBy<Parent extends string, Row extends Readonly<Record<Parent, number | null>>>(
  parent: Parent,
  rows: readonly Row[],
): (parentId: number) => Row[] {
  const groups = new Map<number | null, Row[]>();
  for (const row of rows) {
    const group = groups.get(row[parent]);
    if (group) group.push(row);
    else groups.set(row[parent], [row]);
  }
  return (parentId) => groups.get(parentId) ?? [];
}
