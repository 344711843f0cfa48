import { execFileSync } from 'node:child_process';

const git = (...words) =>
  execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 26 });

/**
 * The paths that commits of the day before the last one have changed: no night may have seen them. Null where nothing is known of
 * that day: without a repository, or in one that ends within it.
 */
export function listRecentChanges() {
  try {
    const since = new Date(Date.parse(git('log', '-1', '--format=%cI').trim()) - 86_400_000).toISOString();
    if (git('log', '-1', `--until=${since}`, '--format=%H') === '') return null;
    return new Set(git('log', `--since=${since}`, '--format=', '--name-only', '-m', '--first-parent').split('\n'));
  } catch {
    return null;
  }
}
