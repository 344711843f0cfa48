/** Groups rows by the key of their parent. The returned function looks up a parent's rows, in the order in which they came. */
export function groupBy<Parent extends string, Row extends Readonly<Record<Parent, number | string | null>>>(
  parent: Parent,
  rows: readonly Row[],
): (parentKey: number | string) => Row[] {
  const groups = new Map<number | string | null, Row[]>();
  for (const row of rows) {
    const group = groups.get(row[parent]);
    if (group) group.push(row);
    else groups.set(row[parent], [row]);
  }
  return (parentKey) => groups.get(parentKey) ?? [];
}
