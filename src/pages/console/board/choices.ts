import { ChoicesDocument, type ChoicesQuery } from '../../../generated/pages/console/board.ts';
import { useEffect, useState } from 'react';
import { readData } from '../../application/session.ts';
import type { BoardEvent } from './model.ts';

/** Global ids by name. */
export type Rows = ReadonlyMap<string, string>;

/** The clients and positions of the business, if all are asked for, and otherwise those of the events that the board has. */
export function useChoices(events: readonly BoardEvent[], asksAll: boolean): { clients: Rows; positions: Rows } {
  const [all, setAll] = useState<ChoicesQuery | null>(null);
  useEffect(() => {
    if (!asksAll) return;
    // Without them, there are still those of the events.
    readData(ChoicesDocument).then(setAll, () => undefined);
  }, [asksAll]);
  const sorted = (rows: readonly (readonly [string, string])[]): Rows =>
    new Map(rows.toSorted(([a], [b]) => a.localeCompare(b, 'en')));
  return {
    clients: sorted([
      ...(all?.users.nodes ?? []).map(({ id, name }) => [name, id] as const),
      ...events.flatMap(({ client }) => (client ? [[client.name, client.id] as const] : [])),
    ]),
    positions: sorted([
      ...(all?.positions ?? []).map(({ id, title }) => [title, id] as const),
      ...events.flatMap(({ callTimes }) => callTimes.map(({ position }) => [position.title, position.id] as const)),
    ]),
  };
}
