import { randomInt, randomUUID } from 'node:crypto';
import { decodeGlobalId, encodeGlobalId } from '../../model/global-ids.ts';

export type Id = string | number;

/** Whether the name is that of an id: `id`, `uuid`, `userId`, `event_uuid`, `fieldUuids`. */
export const isIdName = (name: string): boolean => /(^|_)(uu)?ids?$|[a-z](Uuid|Id)s?$/.test(name);

/** The noun in the name of an id: `callTime` for `callTimeUuid` and `call_time_uuid`; '' for `id` and `uuid`. */
export const nounOf = (name: string): string =>
  camelCase(name)
    .replace(/(^(uu)?i|Uui|I)ds?$/, '')
    .replace(/^./, (letter) => letter.toLowerCase());

export const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());

/** Ids of a business by the place where they were read, such as `Event.uuid` or `/v1/tokens/business id`. */
export class Ids {
  readonly #byPlace = new Map<string, Set<Id>>();

  add(place: string, value: unknown): void {
    if (typeof value !== 'string' && typeof value !== 'number') return;
    const known = this.#byPlace.get(place) ?? new Set();
    this.#byPlace.set(place, known.add(value));
  }

  at(place: string): readonly Id[] {
    return [...(this.#byPlace.get(place) ?? [])];
  }

  has(place: string, id: Id): boolean {
    return this.#byPlace.get(place)?.has(id) ?? false;
  }

  places(): readonly string[] {
    return [...this.#byPlace.keys()];
  }

  get size(): number {
    return [...this.#byPlace.values()].reduce((sum, { size }) => sum + size, 0);
  }

  addAll(others: Ids): void {
    for (const place of others.places()) for (const id of others.at(place)) this.add(place, id);
  }

  /** Ids that no other business can have by chance, because they are long strings. */
  globallyUnique(): ReadonlySet<string> {
    const texts = [...this.#byPlace.values()].flatMap((values) => [...values]);
    return new Set(texts.filter((id): id is string => typeof id === 'string' && id.length >= 12));
  }
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Makes an id of the same form that names no row. */
export function makeUnknownId(id: Id): Id {
  if (typeof id === 'number') return 2_147_483_647 - randomInt(1000);
  const node = decodeGlobalId(id);
  if (node) return encodeGlobalId(node.type, makeUnknownId(/^\d+$/.test(node.key) ? Number(node.key) : node.key));
  return uuid.test(id) ? randomUUID() : id.replaceAll(/[0-9A-Za-z]/g, () => randomInt(36).toString(36));
}

/** Whether the id stands in the text as a whole: the global id of entry 1 begins that of entry 12. */
export function showsId(text: string, id: string): boolean {
  for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1))
    if (!/\w/.test(text[at - 1] ?? '') && !/\w/.test(text[at + id.length] ?? '')) return true;
  return false;
}

/** Finds every id in a REST answer, with its name. Ids of external systems do not count. */
export function findIds(value: unknown, found: (name: string, id: unknown) => void): void {
  if (Array.isArray(value)) for (const item of value) findIds(item, found);
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) {
      if (isIdName(name) && (typeof inner === 'number' || name === 'id' || uuid.test(String(inner))))
        found(name, inner);
      findIds(inner, found);
    }
}
