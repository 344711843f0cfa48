/** Repeatable random values: the same seed gives the same sequence on every machine. */
export interface Random {
  /** Returns a whole number from min to max, both included. */
  whole(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  shuffled<T>(from: readonly T[]): T[];
  /** Replaces every `#` by a digit. */
  fill(template: string): string;
  /** Returns a UUID of version 4. */
  uuid(): string;
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;

  /** mulberry32, 0 <= x < 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };

  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));

  return {
    whole,
    chance: (probability) => next() < probability,
    pick(from) {
      if (from.length === 0) throw new Error('Nothing to pick from.');
      return from[whole(0, from.length - 1)]!;
    },
    shuffled(from) {
      const list = [...from];
      for (let last = list.length - 1; last > 0; last--) {
        const other = whole(0, last);
        [list[last], list[other]] = [list[other]!, list[last]!];
      }
      return list;
    },
    fill: (template) => template.replace(/#/g, () => String(whole(0, 9))),
    uuid() {
      const bytes = Uint8Array.from({ length: 16 }, () => whole(0, 255));
      bytes[6] = (bytes[6]! & 0x0f) | 0x40;
      bytes[8] = (bytes[8]! & 0x3f) | 0x80;
      const hex = Buffer.from(bytes).toString('hex');
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
    },
  };
}
