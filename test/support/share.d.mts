export const isNightly: boolean;
export function seedOf(name: string): number;
export function takeShare<T>(name: string, items: readonly T[], parts: number, always?: (item: T) => boolean): T[];
