import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { settings } from '../../src/config.ts';
import { compareContents } from './contents.ts';
import { startContenders } from './contenders.ts';
import { judge, type Figures } from './goals.ts';
import { measureGrowth } from './growth.ts';
import { measureMemory } from './memory.ts';
import { openDatabaseMeter } from './meters.ts';
import { readOptions, type Options } from './options.ts';
import { places } from './places.ts';
import { stopAll } from './processes.ts';
import { goalTable, otherTables, workloadTable } from './report.ts';
import { takeTurns, type Row } from './rounds.ts';
import { openScene, type Scene } from './scene.ts';
import { measureStartup } from './startup.ts';
import { makeWorkloads } from './workloads.ts';

const print = (text: string) => void process.stdout.write(`${text}\n`);
const startedAt = performance.now();
const say = (line: string) =>
  void process.stderr.write(`[${Math.round((performance.now() - startedAt) / 1000)} s] ${line}\n`);

async function bench(options: Options, scene: Scene): Promise<void> {
  const isWanted = (name: string) => options.only.length === 0 || options.only.includes(name);
  const workloads: Record<string, readonly Row[]> = {};
  const notes: string[] = [];
  const meter = await openDatabaseMeter(options.serverUrl, options.database);
  let figures: Figures = { workloads, growth: null, memory: null, startup: null };
  try {
    const contenders = await startContenders(scene);
    if (!contenders.postgraphile) notes.push('PostGraphile is missing: npm run bench:peers installs it.');
    if (!('CALLBOARD_ENTERPRISE_PER_MINUTE' in settings)) notes.push('The budget of requests stands in the way.');
    notes.push(...(await compareContents(scene, contenders)).map((line) => `Same content: ${line}.`));
    const made = await makeWorkloads(scene, contenders, isWanted);
    notes.push(...made.missing);
    for (const { name, title, targets } of made.workloads) {
      say(`${title}: ${targets.map(({ contender }) => contender).join(', ')}`);
      workloads[name] = await takeTurns(targets, options, meter);
      print(`\n${workloadTable(title, workloads[name])}`);
    }
    if (isWanted('growth')) {
      say('growth');
      figures = { ...figures, growth: await measureGrowth(scene, contenders.service, options.growthReads) };
    }
    await stopAll();
    if (isWanted('memory')) {
      say(`memory: ${options.memoryS} s`);
      figures = { ...figures, memory: await measureMemory(scene, options.memoryS) };
    }
    if (isWanted('startup')) {
      say('starts');
      figures = { ...figures, startup: await measureStartup(scene) };
    }
  } finally {
    await meter.close();
  }
  const goals = judge(figures);
  for (const part of otherTables(figures)) print(`\n${part}`);
  print(`\n${goalTable(goals)}`);
  print(`\n${notes.join('\n')}`);
  const at = new Date().toISOString();
  write(options, at, { at, machine: machine(scene), options, notes, goals, ...figures });
}

const machine = ({ postgres }: Scene) => ({
  cpu: cpus()[0]?.model,
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 1e9),
  node: process.version,
  postgres,
});

function write({ out }: Options, at: string, figures: object): void {
  const file = out ?? `${places.results}${at.replaceAll(':', '-')}.json`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
  print(`\nFigures: ${file}`);
}

/** Whatever happens, no process and no database is left; a second signal does not wait for that. */
async function main(): Promise<void> {
  const options = readOptions();
  if (!options) return;
  let scene: Scene | undefined;
  const leave = async () => {
    await stopAll();
    await scene?.close();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      say(`${signal}: ending what was started`);
      void leave().finally(() => process.exit(130));
    });
  try {
    scene = await openScene(options, say);
    await bench(options, scene);
  } finally {
    await leave();
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
}
