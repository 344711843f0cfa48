import { useState } from 'react';

/* Which columns of a table are in sight, in which order, and how wide. */

export const columnWidths = { min: 48, max: 960, step: 40 };

/** Columns in the user's order; those that the order does not name stand last. */
export const arrangeColumns = (columns: readonly string[], order: readonly string[]): readonly string[] => [
  ...order.filter((column) => columns.includes(column)),
  ...columns.filter((column) => !order.includes(column)),
];

/** Moves a column to the place of another: before it to the left, after it to the right. */
export function moveColumn(columns: readonly string[], column: string, target: string): readonly string[] {
  const others = columns.filter((each) => each !== column);
  return others.toSpliced(columns.indexOf(target), 0, column);
}

export interface Columns {
  /** All columns, in their order. */
  readonly all: readonly string[];
  readonly shown: readonly string[];
  readonly hidden: ReadonlySet<string>;
  /** Chosen widths in pixels. Other columns are as wide as their values. */
  readonly widths: ReadonlyMap<string, number>;
  readonly isChanged: boolean;
  readonly toggle: (column: string) => void;
  /** Moves a column to the place of another one. */
  readonly move: (column: string, target: string) => void;
  /** Moves a column by one place among those in sight; -1 is to the left. */
  readonly step: (column: string, by: -1 | 1) => void;
  readonly resize: (column: string, width: number) => void;
  readonly reset: () => void;
}

export function useColumns(columns: readonly string[]): Columns {
  const [order, setOrder] = useState<readonly string[]>([]);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [widths, setWidths] = useState<ReadonlyMap<string, number>>(new Map());
  const all = arrangeColumns(columns, order);
  const shown = all.filter((column) => !hidden.has(column));
  const move = (column: string, target: string): void => setOrder(moveColumn(all, column, target));
  return {
    all,
    shown,
    hidden,
    widths,
    isChanged: order.length > 0 || hidden.size > 0 || widths.size > 0,
    toggle: (column) => {
      const next = new Set(hidden);
      if (!next.delete(column)) next.add(column);
      setHidden(next);
    },
    move,
    step: (column, by) => {
      const target = shown[shown.indexOf(column) + by];
      if (target !== undefined) move(column, target);
    },
    resize: (column, width) => {
      const bounded = Math.min(columnWidths.max, Math.max(columnWidths.min, Math.round(width)));
      setWidths((previous) => new Map(previous).set(column, bounded));
    },
    reset: () => {
      setOrder([]);
      setHidden(new Set());
      setWidths(new Map());
    },
  };
}
