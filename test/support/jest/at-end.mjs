/*
 * Work for the end of a process in which test files ran: of a worker, or of the whole run if it has no workers. It is kept
 * on the global object because Jest loads its own files apart from those of the tests.
 */
const key = Symbol.for('callboard: work for the end of a test process');

export function atEnd(work) {
  (globalThis[key] ??= []).push(work);
}

export async function endProcess() {
  for (const work of (globalThis[key] ?? []).splice(0)) await work();
}
