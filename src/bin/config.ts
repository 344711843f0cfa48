import type { Command } from 'commander';
import { adviseForProduction } from '../config/advice.ts';
import { findConfigFaults, loadConfig } from '../config/config.ts';
import { printing } from './outcome.ts';

export function configCommands(program: Command): void {
  program
    .command('config')
    .description('look at the settings')
    .command('check')
    .description('show which settings are wrong, and what is advised for production; opens no database')
    .action(printing(check));
}

/** Prints no value of a setting, because some are secret. */
async function check() {
  const wrong = findConfigFaults();
  const advised = wrong.length > 0 ? [] : adviseForProduction(loadConfig());
  const lines = [...wrong.map((text) => `wrong    ${text}`), ...advised.map((text) => `advised  ${text}`)];
  return {
    json: { wrong, advised },
    text: [...lines, summarize(wrong.length, advised.length)].join('\n'),
    ...(wrong.length > 0 && { exit: 'invalid' as const }),
  };
}

function summarize(wrong: number, advised: number): string {
  if (wrong > 0) return `Wrong: ${wrong}. The service would not start. What is advised is said once nothing is wrong.`;
  return advised > 0
    ? `Nothing is wrong. Advised for production: ${advised}.`
    : 'Nothing is wrong, and nothing else is advised.';
}
