import type { Logger } from 'pino';
import { limits } from '../config/limits.ts';

/**
 * Makes a function that logs the kid of a token whose secret this process does not have, at most once in a while, because
 * anybody can send such tokens. The line counts those since the one before.
 */
export function createUnknownKidLog(log: Logger): (kid: string) => void {
  let quietUntil = 0;
  let tokens = 0;
  return (kid) => {
    tokens++;
    if (performance.now() < quietUntil) return;
    log.warn(
      { kid, tokens },
      'a token is signed with a secret that JWT_SECRETS of this process lacks: when secrets change, add the new one to all processes before it signs',
    );
    quietUntil = performance.now() + limits.repeatedWarningMs;
    tokens = 0;
  };
}
