import { InvalidArgumentError } from 'commander';

/** Parses an option that is an id. An id that no row can have is accepted here and then not found. */
export function id(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
