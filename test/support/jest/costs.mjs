import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/* What each test file costs, for the report at the end of the gate: a line of JSON each in the file that TEST_COSTS names. */

const { TEST_COSTS: record } = process.env;
/** Linux counts a hundred to the second. */
const ticksPerSecond = 100;

/** Seconds of processor time of this process and of the children that have ended, or null where /proc does not tell. */
function readCpuSeconds() {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    const times = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15);
    return times.reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
  } catch {
    return null;
  }
}

/** Runs a test file, and notes its cost if somebody asked for it. */
export async function noteCost(path, run) {
  if (!record) return run();
  const [cpuBefore, begun] = [readCpuSeconds(), performance.now()];
  try {
    return await run();
  } finally {
    const cpuS = cpuBefore === null ? null : readCpuSeconds() - cpuBefore;
    const wallS = (performance.now() - begun) / 1000;
    appendFileSync(record, `${JSON.stringify({ name: relative('test', path), cpuS, wallS })}\n`);
  }
}
