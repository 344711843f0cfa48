export interface CallTimeRow {
  readonly id: string;
  readonly position: { readonly title: string };
  readonly coverage: Coverage | null;
  readonly workShifts: readonly ShiftRow[] | null;
}

interface Coverage {
  readonly needed: number;
  readonly assigned: number;
  readonly open: number;
}

interface ShiftRow {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly overrideReason: string | null;
}

export interface Person {
  readonly id: string;
  readonly name: string;
}

export interface Assignment<Row extends CallTimeRow, Someone extends Person> {
  readonly callTime: Row;
  readonly person: Someone;
  /** Why the person is assigned in spite of clashes. */
  readonly reason?: string;
}

/** How an assignment ended: with a shift, or with what stands in its way. */
export interface Outcome {
  readonly shift: { readonly id: string } | null;
  readonly clashes: readonly { readonly kind: string; readonly needed?: number | null }[];
}
