import { parseArgs } from 'node:util';
import { stopAll } from '../support/process.ts';
import { attacks, fullScale, fullScene, runAttacks, shortScale, shortScene } from './attacks.ts';
import { heapMbUsually, type Result } from './measure.ts';
import { formatResults } from './report.ts';

const usage = `npm run attack -- [options]
  --short          the attacks and the sizes of the gate: about a minute
  --only <text>    only attacks whose kind or name contains this (may be given again)
  --heap <MB>      heap of the attacked process [300]
  --list           prints the attacks
ATTACK_DATABASE_URL names the PostgreSQL server [postgresql://postgres@127.0.0.1:5432/postgres]; its user must be able to
create databases. ATTACK_REDIS_URL names a Redis [redis://127.0.0.1:6379]; empty: none is used.
`;

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    heap: { type: 'string', default: String(heapMbUsually) },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const print = (text: string) => void process.stdout.write(`${text}\n`);
const { short: isShort, only } = values;
const wanted = attacks.filter(
  (attack) =>
    (!isShort || attack.isShort) &&
    (only.length === 0 || only.some((text) => `${attack.tries} ${attack.name}`.includes(text))),
);

if (values.help) process.stdout.write(usage);
else if (values.list) for (const { tries, name } of wanted) print(`${tries}: ${name}`);
else await attack();

async function attack(): Promise<void> {
  const results: Result[] = [];
  const stopping = new AbortController();
  process.once('SIGINT', () => {
    stopping.abort();
    stopAll();
    process.exitCode = 130;
  });
  const serverUrl = process.env['ATTACK_DATABASE_URL'] ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
  const redisUrl = process.env['ATTACK_REDIS_URL'] ?? 'redis://127.0.0.1:6379';
  await runAttacks(
    wanted,
    { serverUrl, redisUrl, database: `callboard_attack_${process.pid}`, ...(isShort ? shortScene : fullScene) },
    isShort ? shortScale : fullScale,
    (result) => {
      results.push(result);
      process.stderr.write(`${result.attack.tries}: ${result.attack.name}: ${result.faults.join('; ') || 'held'}\n`);
    },
    { stopping: stopping.signal, heapMb: Number(values.heap) },
  );
  print(formatResults(results));
  if (results.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
}
