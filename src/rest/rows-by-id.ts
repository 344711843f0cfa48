export function indexById<Row extends { readonly id: number }>(rows: readonly Row[]): ReadonlyMap<number, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

/** The ids that a column of some rows has, each once. Null is left out. */
export function uniqueIds<Column extends string>(
  rows: readonly Readonly<Record<Column, number | null>>[],
  column: Column,
): number[] {
  return [...new Set(rows.flatMap((row) => row[column] ?? []))];
}
