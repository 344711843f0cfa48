import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Command } from 'commander';
import { adviseForProduction } from '../config/advice.ts';
import { ConfigError, findConfigFaults, loadConfig, type Config } from '../config/config.ts';
import { requireUsable } from '../db/engine/data-dir.ts';
import { printing } from './outcome.ts';
import type { Shell } from './shell.ts';
import { requirePackages } from './tracing-packages.ts';

export function configCommands(program: Command, shell: Shell): void {
  program
    .command('config')
    .description('look at the settings')
    .command('check')
    .description('show which settings are wrong, and what is advised for production; opens no database')
    .action(printing(shell, check));
}

/** Prints no value of a setting, because some are secret. */
async function check(shell: Shell) {
  const found = findConfigFaults(shell.env);
  const wrong = found.length > 0 ? found : await findStartFaults(loadConfig(shell.env));
  const advised = wrong.length > 0 ? [] : adviseForProduction(loadConfig(shell.env));
  const lines = [...wrong.map((text) => `wrong    ${text}`), ...advised.map((text) => `advised  ${text}`)];
  return {
    json: { wrong, advised },
    text: [...lines, summarize(wrong.length, advised.length)].join('\n'),
    ...(wrong.length > 0 && { exit: 'invalid' as const }),
  };
}

/** Finds what the parts of the service refuse at its start. Whether a port is free is not tried: the service itself may be running. */
async function findStartFaults({ http, db, traces }: Config): Promise<string[]> {
  const checks: readonly (() => unknown)[] = [
    () => traces.endpoint !== null && requirePackages(),
    () => db.url === null && requireUsable(db.dataDir),
    async () => {
      const server = createServer().listen(0, http.host);
      await once(server, 'listening').catch((error: Error) => {
        throw new ConfigError(`HOST cannot be listened on: ${error.message}.`);
      });
      server.close();
    },
  ];
  const faults = checks.map(async (run) => {
    try {
      await run();
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return [error.message];
      throw error;
    }
  });
  return (await Promise.all(faults)).flat();
}

function summarize(wrong: number, advised: number): string {
  if (wrong > 0) return `Wrong: ${wrong}. The service would not start. What is advised is said once nothing is wrong.`;
  return advised > 0
    ? `Nothing is wrong. Advised for production: ${advised}.`
    : 'Nothing is wrong, and nothing else is advised.';
}
