import {
  ClaimScreenDocument,
  LeaveScreenDocument,
  MyScreenDocument,
  NewCodeDocument,
  type MyScreenQuery,
} from '../../../generated/pages/console/board.ts';
import { readMessages } from '../messages/messages.ts';
import type { TypedDocument, VariablesOf } from '../../application/document.ts';
import { sendQuery, describeErrors } from '../../application/service.ts';
import { readStored, store } from '../../application/storage.ts';
import { forgetSession, readSession, startAsScreen, watchSession } from '../../application/session.ts';

/*
 * Makes this browser a screen: it shows a code until an admin approves it, and then keeps the board token. The token is in
 * local storage, so that the screen goes on after a power cut.
 */

/** People check in on it at the event, if it has one. */
export type OwnScreen = MyScreenQuery['myScreen'];

export type Pairing =
  | { readonly step: 'off' }
  | { readonly step: 'connecting'; readonly problem: string | null }
  | {
      readonly step: 'waiting';
      /** Null until the service has given one. */
      readonly code: string | null;
      /** Why there is a new code. */
      readonly notice: string | null;
      readonly problem: string | null;
    }
  | { readonly step: 'on'; readonly screen: OwnScreen };

const storageKey = 'callboard:screen';
const claimMs = 4_000;
const aliveMs = 60_000;
/** After a failure. */
const retryMs = 10_000;

let pairing: Pairing = { step: 'off' };
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
/** Changes with each beginning and end, so that answers to what was before are dropped. */
let turn = 0;

export const readPairing = (): Pairing => pairing;

export function watchPairing(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function update(next: Pairing): void {
  pairing = next;
  for (const listener of listeners) listener();
}

/** Goes on as the screen that this browser was before; does nothing if it was none. */
export function resumePairing(): void {
  const stored = readStored('localStorage', storageKey) as Stored | null;
  if (stored === null || pairing.step !== 'off') return;
  if (stored.boardToken) void connect(stored.boardToken, ++turn);
  else startPairing();
}

export function startPairing(notice: string | null = null): void {
  store('localStorage', storageKey, {});
  void showCode(++turn, notice);
}

/** Ceases to be a screen. A board token is revoked too, if the service can be reached. */
export async function stopPairing(): Promise<void> {
  const boardToken =
    (readStored('localStorage', storageKey) as Stored | null)?.boardToken ?? readSession().login?.credential;
  turn++;
  clearTimeout(timer);
  store('localStorage', storageKey, null);
  update({ step: 'off' });
  forgetSession();
  if (boardToken) await sendQuery({ query: LeaveScreenDocument }, boardToken).catch(() => undefined);
}

/** Runs again later, unless the browser has begun or ended something else meanwhile. */
function later(ms: number, mine: number, run: () => Promise<void>): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (mine === turn) void run();
  }, ms);
}

interface Asked<Data> {
  readonly data: { readonly [Name in keyof Data]?: Data[Name] | null };
  readonly isUnauthenticated: boolean;
  readonly problem: string | null;
  readonly pauseMs: number;
}

async function ask<Data, Taken>(
  query: TypedDocument<Data, Taken>,
  variables: VariablesOf<Taken>,
  credential: string | null,
): Promise<Asked<Data>> {
  try {
    const { result, refused, retryAfterS } = await sendQuery({ query, variables }, credential);
    return {
      data: (result.data ?? {}) as Asked<Data>['data'],
      isUnauthenticated: refused === 'UNAUTHENTICATED',
      problem: describeErrors(result),
      pauseMs: Math.max(retryMs, (retryAfterS ?? 0) * 1000),
    };
  } catch (error) {
    return { data: {}, isUnauthenticated: false, problem: (error as Error).message, pauseMs: retryMs };
  }
}

async function showCode(mine: number, notice: string | null): Promise<void> {
  if (pairing.step !== 'waiting') update({ step: 'waiting', code: null, notice, problem: null });
  const { data, problem, pauseMs } = await ask(NewCodeDocument, {}, null);
  if (mine !== turn) return;
  const made = data.createScreenCode;
  if (!made) {
    update({ step: 'waiting', code: null, notice, problem });
    return later(pauseMs, mine, () => showCode(mine, notice));
  }
  const { code, secret } = made;
  update({ step: 'waiting', code, notice, problem: null });
  later(claimMs, mine, () => claim(mine, secret, notice));
}

async function claim(mine: number, secret: string, notice: string | null): Promise<void> {
  const { data, problem, pauseMs } = await ask(ClaimScreenDocument, { secret }, null);
  if (mine !== turn) return;
  const answer = data.claimScreen;
  if (answer?.boardToken && answer.screen) return start(answer.boardToken, answer.screen, mine);
  if (answer?.status === 'EXPIRED') return showCode(mine, notice);
  if (pairing.step === 'waiting') update({ ...pairing, problem });
  later(problem === null ? claimMs : pauseMs, mine, () => claim(mine, secret, notice));
}

async function connect(boardToken: string, mine: number): Promise<void> {
  if (pairing.step === 'off') update({ step: 'connecting', problem: null });
  const { data, isUnauthenticated, problem, pauseMs } = await ask(MyScreenDocument, {}, boardToken);
  if (mine !== turn) return;
  const screen = data.myScreen;
  if (screen) return start(boardToken, screen, mine);
  if (isUnauthenticated) return startPairing(readMessages().board.kiosk.revoked);
  update({ step: 'connecting', problem });
  later(pauseMs, mine, () => connect(boardToken, mine));
}

function start(boardToken: string, screen: OwnScreen, mine: number): void {
  store('localStorage', storageKey, { boardToken });
  startAsScreen(boardToken);
  update({ step: 'on', screen });
  later(aliveMs, mine, () => sayAlive(boardToken, mine));
}

/** A screen on which nothing changes asks nothing else, and admins want to see that it runs. */
async function sayAlive(boardToken: string, mine: number): Promise<void> {
  const headers = { authorization: `Bearer ${boardToken}` };
  await fetch('/v1/revision', { headers, credentials: 'omit', cache: 'no-store' }).catch(() => undefined);
  later(aliveMs, mine, () => sayAlive(boardToken, mine));
}

// The session loses its credential when the service no longer accepts it.
watchSession(() => {
  if (pairing.step !== 'on' || readSession().login !== null) return;
  startPairing(readMessages().board.kiosk.revoked);
  forgetSession();
});

interface Stored {
  readonly boardToken?: string;
}
