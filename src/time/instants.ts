/** Whether a text is an instant exactly as `Date.prototype.toISOString` writes it. */
export function isInstant(value: string): boolean {
  const at = new Date(value);
  return /^\d{4}-/.test(value) && !Number.isNaN(at.getTime()) && at.toISOString() === value;
}

/** `2026-11-25 13:04:19`, as REST prints times in UTC, becomes an instant of RFC 3339. */
export function spellUtc(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/, '$1T$2Z');
}

/** Reads an instant as RFC 3339 writes it, or without seconds, with `Z` or an offset. Null if the text is anything else. */
export function parseInstant(text: string): Date | null {
  const [, minute, seconds = ':00', fraction = '', offset] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?:(:\d\d)(\.\d{1,9})?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/.exec(text) ?? [];
  // Date takes the 30th of February for a day of March.
  if (minute === undefined || !isInstant(`${minute}${seconds}.000Z`)) return null;
  return new Date(`${minute}${seconds}${fraction.slice(0, 4)}${offset}`);
}
