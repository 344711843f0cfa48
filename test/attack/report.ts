import type { Result } from './measure.ts';

const columns = [
  'tries',
  'attack',
  'answers',
  'largest',
  'others p95: calm',
  'attack',
  'refused',
  'MB: before',
  'highest',
  'after',
];

/** The figures as a table, and below it what is wrong. */
export function formatResults(results: readonly Result[]): string {
  const rows = results.map(({ attack, statuses, largestBytes, calm, during, memoryMb }) => [
    attack.tries,
    attack.name,
    Object.entries(statuses)
      .map(([status, count]) => `${count} × ${status === '0' ? 'none' : status}`)
      .join(', '),
    `${(largestBytes / 1e6).toFixed(1)} MB`,
    `${calm.p95} ms`,
    `${during.p95} ms`,
    `${during.refused} of ${during.count}`,
    String(memoryMb.before),
    String(memoryMb.highest),
    memoryMb.after === null ? 'ended' : String(memoryMb.after),
  ]);
  const widths = columns.map((name, index) => Math.max(name.length, ...rows.map((row) => row[index]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  const faults = results.flatMap(({ attack, faults: found }) =>
    found.map((fault) => `FAILED ${attack.name}: ${fault}`),
  );
  const verdict = faults.length === 0 ? 'All attacks held.' : '';
  return [line(columns), ...rows.map(line), '', ...faults, verdict].join('\n').trimEnd();
}
