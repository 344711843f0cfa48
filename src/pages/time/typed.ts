/** Reads a time as people type it (`9`, `930`, `9:30`, `9.30`, `9pm`, `12 am`) as `09:30`. Null for anything else. */
export function readTime(text: string): string | null {
  const compact = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s.]/g, (sign) => (sign === '.' ? ':' : ''));
  const [, hours, minutes = '0', half] = /^(\d{1,2})(?::?(\d\d))?(?::00)?(a|p|am|pm|a:m:|p:m:)?$/.exec(compact) ?? [];
  if (hours === undefined) return null;
  const typed = Number(hours);
  if (half && (typed < 1 || typed > 12)) return null;
  const hour = half ? (typed % 12) + (half.startsWith('p') ? 12 : 0) : typed;
  if (hour > 23 || Number(minutes) > 59) return null;
  return `${String(hour).padStart(2, '0')}:${minutes.padStart(2, '0')}`;
}
