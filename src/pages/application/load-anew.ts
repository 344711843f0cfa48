/**
 * Loads the page anew, as one that was opened before the service got its present version asks for files that are gone. It waits until the
 * service has answered: a browser that reloads without an answer has no page left. Resolves to false if it does not answer.
 */
export async function loadAnew(): Promise<boolean> {
  const answer = await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (!answer?.ok) return false;
  sessionStorage.setItem(key, String(Date.now()));
  location.reload();
  return true;
}

/** Milliseconds between two times that a page loads anew by itself. */
const againMs = 60_000;
const key = 'callboard:loaded-anew';

/** Loads the page anew without being asked, unless that was done just now and did not help. */
export async function loadAnewOnce(): Promise<void> {
  if (Date.now() - Number(sessionStorage.getItem(key) ?? 0) >= againMs) await loadAnew();
}
