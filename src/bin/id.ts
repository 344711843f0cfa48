import { InvalidArgumentError } from 'commander';

/** An option that is an id. One that no row can have is looked for like any other: not found. */
export function id(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
