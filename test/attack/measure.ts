import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { password, type Tenant } from '../support/factories.ts';
import { startProcess, type ServiceProcess } from '../support/process.ts';
import { faultOf, type Attack } from './attack.ts';
import type { Scene } from './scene.ts';
import { proxied, send, type Answer, type Target } from './target.ts';
import { residentMb, settleMemory, watchCalls, watchMemory, type Calls } from './watch.ts';

export const memoryMbMax = 512;
/** The heap takes what the rest of the process leaves of the memory. */
export const heapMbUsually = 300;
const settleMs = 20_000;
const returnsTo = 1.2;

export interface Scale {
  readonly isShort: boolean;
  /** How long an attack repeats itself, in milliseconds. */
  readonly attackMs: number;
  readonly calmMs: number;
  /** Highest p95 of another business, in milliseconds. */
  readonly p95Max: number;
}

export interface Result {
  readonly attack: Attack;
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly largestBytes: number;
  readonly calm: Calls;
  readonly during: Calls;
  readonly memoryMb: { readonly before: number; readonly highest: number; readonly after: number | null };
  readonly faults: readonly string[];
}

/** The service as operators run it, in a process of little memory, after it has done each kind of work once. */
export async function startService(scene: Scene, heapMb: number): Promise<ServiceProcess> {
  const collect = fileURLToPath(new URL('collect.mjs', import.meta.url));
  const service = await startProcess({
    ...scene.env,
    NODE_ENV: 'production',
    TRUST_PROXY: '127.0.0.1',
    // A test of many addresses would have to use fewer otherwise.
    CALLBOARD_ANONYMOUS_PER_MINUTE: '100000',
    // Attacks that keep to the plan follow one another within the same minute.
    CALLBOARD_ENTERPRISE_PER_MINUTE: '1000000',
    NODE_OPTIONS: `--max-old-space-size=${heapMb} --expose-gc --import=${collect}`,
  });
  await warmUp(service.origin, scene.other);
  return service;
}

/** Memory that the first hashes and lists take stays with the process, so it counts as what it was before. */
async function warmUp(origin: string, { staff, as }: Tenant): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const logIn = (number: number) =>
    send(origin, agent, 'POST', '/v1/auth/login', {
      body: { email: staff.email, password },
      headers: proxied(`192.0.2.${number}`),
    });
  await Promise.all(Array.from({ length: 16 }, (_, number) => logIn(number)));
  for (let page = 1; page <= 20; page++)
    await send(origin, agent, 'GET', `/v1/events?per_page=100&page=${page}`, { as: as.key });
  agent.destroy();
}

export interface Setting {
  readonly service: ServiceProcess;
  readonly scene: Scene;
  readonly scale: Scale;
  /** Ends the attack early. */
  readonly stopping: AbortSignal;
}

/** Runs one attack and judges what came of it. */
export async function measure(setting: Setting, attack: Attack): Promise<Result> {
  const { service, scene, scale } = setting;
  const { origin, pid } = service;
  const other = scene.other.as.key;
  const watching = watchCalls(origin, other);
  await wait(scale.calmMs);
  const calm = await watching.stop();
  process.kill(pid, 'SIGWINCH');
  await wait(200);
  const before = residentMb(pid) ?? 0;
  const [stopMemory, during] = [watchMemory(pid), watchCalls(origin, other)];
  const answers: Answer[] = [];
  const agent = new Agent({ keepAlive: true });
  const faults = (await attack.run(targetOf(setting, agent, answers))) ?? [];
  const calls = await during.stop();
  agent.destroy();
  const highest = stopMemory();
  const after = await settleMemory(pid, before * returnsTo, settleMs);
  const memoryMb = { before, highest, after };
  const found = [
    ...faults,
    ...answers.flatMap((answer) => faultOf(attack, answer) ?? []),
    ...faultsOfProcess(memoryMb, calls, scale.p95Max),
  ];
  return {
    attack,
    statuses: countBy(answers.map(({ status }) => String(status))),
    largestBytes: Math.max(0, ...answers.map(({ bytes }) => bytes)),
    calm,
    during: calls,
    memoryMb,
    faults: Object.entries(countBy(found)).map(([fault, count]) => (count > 1 ? `${fault} (${count} times)` : fault)),
  };
}

function targetOf({ service: { origin }, scene, scale, stopping }: Setting, agent: Agent, answers: Answer[]): Target {
  const end = performance.now() + scale.attackMs;
  const recorded: Target['send'] = async (method, path, sending) => {
    const answer = await send(origin, agent, method, path, sending);
    answers.push(answer);
    return answer;
  };
  return {
    origin,
    scene,
    isShort: scale.isShort,
    send: recorded,
    graphql: (query, { variables, ...sending } = {}) =>
      recorded('POST', '/graphql', { ...sending, body: { query, ...(variables && { variables }) } }),
    goesOn: () => !stopping.aborted && performance.now() < end,
  };
}

function faultsOfProcess(
  { before, highest, after }: Result['memoryMb'],
  { count, refused, p95 }: Calls,
  p95Max: number,
): string[] {
  if (after === null) return ['the process has ended'];
  return [
    highest > memoryMbMax && `memory of ${highest} MB, at most ${memoryMbMax} are allowed`,
    after > before * returnsTo && `memory stays at ${after} MB, it was ${before} MB`,
    p95 > p95Max && `p95 of another business ${p95} ms, at most ${p95Max} are allowed`,
    refused > count / 20 && `${refused} of ${count} calls of another business refused`,
  ].filter((fault) => fault !== false);
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
