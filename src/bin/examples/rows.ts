/** A value that names a row in a request. */
export type RowId = string | number;

const idName = /^(?:(.+)_)?(id|uuid)$/;

/** The rows that answers have shown, by noun: `event`, `call_time`, `staff`. */
export class KnownRows {
  readonly #ids = new Map<string, Set<RowId>>();

  /** Keeps every id in an answer. A row in a list belongs to the noun that the list is called after. */
  read(path: string, answer: unknown): void {
    this.#walk(nounOfPath(path), answer);
  }

  /**
   * Returns the rows that a parameter or field may name, the best first. `near` is the noun before a parameter that is
   * called `id` or `uuid` alone.
   */
  candidates(name: string, near: string): readonly RowId[] {
    const [, own, kind = ''] = idName.exec(name) ?? [];
    const noun = own ?? near;
    // Rows of the noun itself: a qualification is none that somebody holds, although `user_qualification` ends alike.
    const isSame = (known: string) =>
      known === noun || (!this.#ids.has(`${noun} ${kind}`) && known.endsWith(`_${noun}`));
    return [...this.#ids].flatMap(([place, ids]) => {
      const [known = '', knownKind] = place.split(' ');
      return knownKind === kind && isSame(known) ? [...ids] : [];
    });
  }

  #walk(noun: string, value: unknown): void {
    if (Array.isArray(value)) for (const item of value) this.#walk(noun, item);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const row = value as Record<string, unknown>;
    for (const [name, inner] of Object.entries(row)) {
      const [, own, kind] = idName.exec(name) ?? [];
      if (kind && (typeof inner === 'string' || typeof inner === 'number')) {
        this.#add(`${own ?? noun} ${kind}`, inner);
        // People are named after what they are as well: a shift has staff, an event a client.
        if (own === undefined && typeof row['role'] === 'string') this.#add(`${row['role']} ${kind}`, inner);
      }
      if (typeof inner === 'object') this.#walk(name === 'data' ? noun : singular(name), inner);
    }
  }

  #add(place: string, id: RowId): void {
    const known = this.#ids.get(place) ?? new Set();
    this.#ids.set(place, known.add(id));
  }
}

const singular = (noun: string): string => noun.replace(/ies$/, 'y').replace(/s$/, '');

/** The noun of the rows that a path answers with: `work_shift` for `/v1/work_shifts/event/{event_uuid}`. */
export function nounOfPath(path: string): string {
  const names = path.split('/').filter((part) => /^[a-z_]+s$/.test(part));
  return singular(names.at(-1) ?? '');
}

/** Whether a field or parameter names a row. */
export const namesRow = (name: string): boolean => idName.test(name);
