/**
 * Merges metrics in the Prometheus text format, whose samples differ in a label. Each metric is described once, and all of its
 * samples follow, as the format asks for.
 */
export function mergeMetrics(texts: readonly string[]): string {
  const samplesByHead = new Map<string, string[]>();
  for (const block of texts.flatMap((text) => text.trim().split('\n\n'))) {
    const lines = block.split('\n');
    const head = lines.filter((line) => line.startsWith('#')).join('\n');
    const samples = samplesByHead.get(head) ?? [];
    samplesByHead.set(head, samples);
    for (const line of lines) if (line !== '' && !line.startsWith('#')) samples.push(line);
  }
  return [...samplesByHead].map(([head, samples]) => `${[head, ...samples].join('\n')}\n`).join('\n');
}
