import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { settings } from '../../src/config/settings.ts';
import { startContenders } from './contenders.ts';
import { compareContents } from './contents.ts';
import { measureAtOnce } from './at-once.ts';
import { measureFilters } from './filters.ts';
import { judge, nothingElse, type Figures } from './goals.ts';
import { measureGrowth } from './growth.ts';
import { measureLive } from './live.ts';
import { measureMemory } from './memory.ts';
import { openDatabaseMeter } from './meters.ts';
import { isWanted, readOptions, type Options } from './options.ts';
import { places } from './places.ts';
import { startOn, stopAll } from './processes.ts';
import { describeProfile } from './profile.ts';
import { measureAttendance } from './attendance.ts';
import { measureCandidates } from './candidates.ts';
import { measureFeeds } from './feeds.ts';
import { measureOffers } from './offers.ts';
import { measureReports } from './reports.ts';
import { goalTable, otherTables, workloadTable } from './report.ts';
import { filesOf, measureRoads } from './road.ts';
import { takeTurns, type Pace, type Row } from './rounds.ts';
import { makeDatabase, openScene, urlOf, type Scene } from './scene.ts';
import { measureStartup } from './startup.ts';
import { measureMails } from './mails.ts';
import { measureWebhooks } from './webhooks.ts';
import { makeWorkloads, type Workload } from './workloads.ts';

const print = (text: string) => void process.stdout.write(`${text}\n`);
const startedAt = performance.now();
const say = (line: string) =>
  void process.stderr.write(`[${Math.round((performance.now() - startedAt) / 1000)} s] ${line}\n`);

/** Known answers cost nothing that a pause could make dearer. */
function paceOf(options: Options, { name, isKnown }: Pick<Workload, 'name' | 'isKnown'>): Pace {
  const { rounds, roundS, warmUpS, warmUpRequests, pauseS } = options;
  if (isKnown) return { rounds, roundS, warmUp: { seconds: warmUpS }, pauseS: null };
  return { rounds, roundS, warmUp: { requests: name.endsWith('-100') ? warmUpRequests / 5 : warmUpRequests }, pauseS };
}

async function bench(options: Options): Promise<void> {
  const notes: string[] = [];
  const needsNoScene =
    options.only.length > 0 &&
    options.only.every((name) => ['road', 'offers', 'mails', 'feeds', 'attendance'].includes(name));
  const scene = needsNoScene ? null : await openScene(options, say);
  let figures: Figures = scene ? await measureScene(options, scene, notes) : { workloads: {}, ...nothingElse };
  if (isWanted(options, 'road')) {
    say('what runs for one request');
    figures = { ...figures, roads: await measureRoads(urlOf(options)) };
  }
  if (isWanted(options, 'offers')) {
    say('offers');
    figures = { ...figures, offers: await measureOffers(urlOf(options)) };
  }
  if (isWanted(options, 'mails')) {
    say('mails');
    figures = { ...figures, mails: await measureMails(urlOf(options)) };
  }
  if (isWanted(options, 'attendance')) {
    say('attendance');
    figures = { ...figures, attendance: await measureAttendance(urlOf(options), options.reportReads, say) };
  }
  if (isWanted(options, 'feeds')) {
    say('calendar feeds');
    figures = { ...figures, feeds: await measureFeeds(urlOf(options)) };
  }
  const goals = judge(figures);
  for (const part of otherTables(figures)) print(`\n${part}`);
  if (figures.roads && options.namesFiles) print(`\n${filesOf(figures.roads)}`);
  const shown = options.only.length === 0 ? goals : goals.filter(({ measured }) => measured !== null);
  print(`\n${goalTable(shown)}`);
  print(`\n${notes.join('\n')}`);
  const at = new Date().toISOString();
  write(options, at, { at, machine: machine(scene, programOf(options)), options, notes, goals, ...figures });
}

async function measureScene(options: Options, scene: Scene, notes: string[]): Promise<Figures> {
  const wants = (name: string) => isWanted(options, name);
  const workloads: Record<string, readonly Row[]> = {};
  const meter = await openDatabaseMeter(options.serverUrl, options.database);
  let figures: Figures = { workloads, ...nothingElse };
  try {
    const contenders = await startContenders(scene, options);
    if (!contenders.postgraphile)
      notes.push('PostGraphile is missing: npm run bench:peers installs it, and it takes Node 22 or 24.');
    if (!('CALLBOARD_ENTERPRISE_PER_MINUTE' in settings)) notes.push('The rate limit distorts the result.');
    notes.push(...(await compareContents(scene, contenders)).map((line) => `Same content: ${line}.`));
    const made = await makeWorkloads(scene, contenders, wants);
    notes.push(...made.missing);
    for (const { name, title, targets, isAfresh, isKnown } of made.workloads) {
      say(`${title}: ${targets.map(({ contender }) => contender).join(', ')}`);
      workloads[name] = await takeTurns(targets, paceOf(options, { name, isKnown }), meter);
      print(`\n${workloadTable(title, workloads[name])}`);
      notes.push(...doubtsAbout(name, isAfresh, workloads[name]));
    }
    if (wants('growth')) {
      say('growth');
      figures = { ...figures, growth: await measureGrowth(scene, contenders.service, options.growthReads) };
    }
    if (wants('filters')) {
      say('filters');
      figures = { ...figures, filters: await measureFilters(scene, contenders.service, options.growthReads) };
    }
    if (wants('reports')) {
      say('reports');
      figures = { ...figures, reports: await measureReports(scene, contenders.service, options.reportReads) };
    }
    if (wants('candidates')) {
      say('candidates');
      const candidates = await measureCandidates(scene, contenders.service, options.growthReads);
      figures = { ...figures, candidates };
    }
    if (wants('at-once')) {
      say('much at once');
      figures = { ...figures, atOnce: await measureAtOnce(scene, contenders.service, options.rounds) };
    }
    await stopAll();
    if (options.profile !== null) print(`\n${describeProfile(options.profile)}`);
    if (wants('memory')) {
      say(`memory: ${options.memoryS} s`);
      figures = { ...figures, memory: await measureMemory(scene, options.memoryS) };
      const oldest = places.node('20');
      if (existsSync(oldest))
        figures = { ...figures, memoryOnOldest: await measureMemory(scene, options.memoryS, { program: oldest }) };
    }
    if (wants('live')) {
      say('live updates');
      if (!options.redisUrl) notes.push('Live updates over two processes: not measured without BENCH_REDIS_URL.');
      figures = { ...figures, live: await measureLive(scene, options, options.redisUrl) };
    }
    if (wants('startup')) {
      say('starts');
      figures = { ...figures, startup: await measureStartup(scene) };
    }
    if (wants('webhooks')) {
      say('webhooks');
      figures = { ...figures, webhooks: await measureWebhooks(scene) };
    }
  } finally {
    await meter.close();
  }
  return figures;
}

/** Read with the credential alone, an answer was not computed. */
const statementsOfKept = 1.5;

function doubtsAbout(name: string, isAfresh: boolean, rows: readonly Row[]): string[] {
  const [ours] = rows;
  const isKept = isAfresh && ours?.statements !== null && (ours?.statements ?? 0) < statementsOfKept;
  const failed = rows.filter(({ failures }) => Object.keys(failures).length > 0);
  return [
    ...(isKept
      ? [`${name}: ${ours?.statements?.toFixed(1)} statements each: these answers were not computed afresh.`]
      : []),
    ...failed.map(({ contender, failures }) => `${name}: ${contender} failed: ${JSON.stringify(failures)}.`),
  ];
}

const machine = (scene: Scene | null, program: string) => ({
  node: execFileSync(program, ['--version'], { encoding: 'utf8' }).trim(),
  cpu: cpus()[0]?.model,
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 1e9),
  postgres: scene?.postgres,
});

function write({ out }: Options, at: string, figures: object): void {
  const file = out ?? `${places.results}${at.replaceAll(':', '-')}.json`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
  print(`\nFigures: ${file}`);
}

/** The Node that all contenders run on. */
function programOf({ node }: Options): string {
  if (node === 'own' || process.versions.node.startsWith(`${node}.`)) return process.execPath;
  const program = places.node(node);
  if (!existsSync(program))
    throw new Error(`Node ${node} is missing: npm run bench:peers installs it, or use --node own.`);
  return program;
}

/** Whatever happens, no process and no database is left; a second signal does not wait for that. */
async function main(): Promise<void> {
  const options = readOptions();
  if (!options) return;
  startOn(programOf(options));
  const drop = await makeDatabase(options);
  const leave = async () => {
    await stopAll();
    await drop();
  };
  let isInterrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      say(`${signal}: ending what was started`);
      isInterrupted = true;
      void leave().finally(() => process.exit(130));
    });
  try {
    await bench(options);
  } catch (error) {
    if (!isInterrupted) throw error;
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
