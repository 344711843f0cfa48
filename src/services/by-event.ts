/** Rows of many events, to be taken event by event, in the order in which they came. */
export function groupByEventId<Row extends { eventId: number }>(rows: readonly Row[]): (eventId: number) => Row[] {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.eventId);
    if (group) group.push(row);
    else groups.set(row.eventId, [row]);
  }
  return (eventId) => groups.get(eventId) ?? [];
}
