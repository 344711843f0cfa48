/* What the primary and its workers tell each other over the channel that node:cluster opens between them. */

/** Why a worker has to end: a signal that the primary got, or another worker that has taken its place. */
export type EndReason = 'SIGTERM' | 'SIGINT' | 'replaced';

export type ToPrimary =
  /** The worker has started to read messages. */
  | { readonly kind: 'linked' }
  /** The worker listens on its ports. */
  | { readonly kind: 'listening' }
  /** The worker listens, and `/readyz` would answer 200. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'committed'; readonly businessId: number }
  /** Asks for the metrics of all workers. */
  | { readonly kind: 'collect'; readonly id: number }
  /** The worker's own metrics. */
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string };

export type ToWorker =
  | { readonly kind: 'end'; readonly reason: EndReason }
  /** A transaction of another worker has changed the business. */
  | { readonly kind: 'committed'; readonly businessId: number }
  /** Asks for the worker's own metrics. */
  | { readonly kind: 'report'; readonly id: number }
  /** The metrics of all workers. */
  | { readonly kind: 'collected'; readonly id: number; readonly text: string };

const channel = 'callboard';

/** Marks a message as ours: others use the channel as well. */
export const wrap = (message: ToPrimary | ToWorker) => ({ channel, message });

export const readByPrimary = (received: unknown) => unwrap(received) as ToPrimary | null;
export const readByWorker = (received: unknown) => unwrap(received) as ToWorker | null;

/** Returns the message if it is ours. */
function unwrap(received: unknown): ToPrimary | ToWorker | null {
  const { channel: name, message } = (received ?? {}) as Partial<ReturnType<typeof wrap>>;
  return name === channel && message ? message : null;
}
