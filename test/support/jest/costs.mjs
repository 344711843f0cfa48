import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/* What each test file costs, for the report at the end of the gate: a line of JSON each in the file that TEST_COSTS names. */

const { TEST_COSTS: record } = process.env;
/** Linux counts a hundred to the second. */
const ticksPerSecond = 100;

/** Seconds of processor time of a process and of its children that have ended, and its parent; null if it ends meanwhile. */
function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [, parent, ...more] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = more.slice(9, 13).reduce((sum, each) => sum + Number(each), 0);
    return { pid: Number(pid), parent: Number(parent), cpuS: ticks / ticksPerSecond };
  } catch {
    return null;
  }
}

/**
 * Seconds of processor time of this process and of all that it has started, with the browser and the service that stay for the next
 * test files; null where /proc does not tell.
 */
function readCpuSeconds() {
  if (!existsSync('/proc/self/stat')) return null;
  const running = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(readProcess)
    .filter((each) => each !== null);
  const parents = new Map(running.map(({ pid, parent }) => [pid, parent]));
  const isOurs = (pid) => pid === process.pid || (parents.has(pid) && isOurs(parents.get(pid)));
  return running.filter(({ pid }) => isOurs(pid)).reduce((sum, { cpuS }) => sum + cpuS, 0);
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
