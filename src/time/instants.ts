/** Whether a text is an instant exactly as `Date.prototype.toISOString` writes it. */
export function isInstant(value: string): boolean {
  const at = new Date(value);
  return /^\d{4}-/.test(value) && !Number.isNaN(at.getTime()) && at.toISOString() === value;
}
