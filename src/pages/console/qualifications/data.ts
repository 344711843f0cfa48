export interface Qualification {
  readonly id: string;
  readonly name: string;
}

/** As the service shows it. */
export interface StoredRequirement {
  readonly minLevel: number | null;
  readonly qualification: Qualification | null;
}
