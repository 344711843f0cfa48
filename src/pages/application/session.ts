import { LogOutDocument, ViewerDocument, type ViewerQuery } from '../../generated/pages/application.ts';
import { readMessages } from '../console/messages/messages.ts';
import { readDemo } from './demo.ts';
import { askSession, isRenewalDue, keepsLogin, keptPerson, noteKept, type Login } from './kept-log-in.ts';
import type { TypedDocument, VariablesOf } from './document.ts';
import {
  sendQuery,
  describeErrors,
  Unreachable,
  type ServiceAnswer,
  type RateLimit,
  type GraphQLRequest,
} from './service.ts';
import { readStored, store } from './storage.ts';

/* Keeps who is logged in. The credential is stored in this tab's session storage and nowhere else, unless the log-in is kept. */

export type { Role, Weekday } from '../../generated/pages/application.ts';

export type Viewer = ViewerQuery['viewer'];

export interface Session {
  readonly phase: 'starting' | 'out' | 'in';
  readonly login: Login | null;
  readonly viewer: Viewer | null;
  readonly rateLimit: RateLimit | null;
  /** Why the user was logged out, or could not log in. */
  readonly notice: string | null;
  /** The demo account that a link names while somebody else is logged in. */
  readonly offeredDemo: string | null;
  /** Whether nobody is logged in because the service could not be asked. */
  readonly isUnreachable: boolean;
}

const storageKey = 'callboard:login';
const out: Session = {
  phase: 'out',
  login: null,
  viewer: null,
  rateLimit: null,
  notice: null,
  offeredDemo: null,
  isUnreachable: false,
};

let session: Session = { ...out, phase: 'starting' };
const listeners = new Set<() => void>();

export const readSession = (): Session => session;

export function watchSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function updateSession(next: Partial<Session>): void {
  session = { ...session, ...next };
  for (const listener of listeners) listener();
}

/** Sends a request as the current viewer and updates the session from the answer. */
export async function sendAsViewer(
  request: GraphQLRequest,
  signal?: AbortSignal,
  heldTag?: string | null,
): Promise<ServiceAnswer> {
  await renewIfDue();
  const { login } = session;
  const answer = await sendQuery(request, login?.credential ?? null, signal, heldTag);
  if (login && login === session.login) {
    if (answer.refused === 'UNAUTHENTICATED') {
      // The token of a kept log-in may have been revoked alone, as when another tab logs out.
      if (login.isKept && (await renew())) return sendAsViewer(request, signal, heldTag);
      endSession(login);
    } else noteRateLimit(answer.rateLimit);
  }
  return answer;
}

let renewal: Promise<boolean> | null = null;

async function renewIfDue(): Promise<void> {
  if (session.login && isRenewalDue(session.login)) await renew();
}

/** Gets the next token of the kept log-in. Returns whether there is one. Requests that need it at one time share it. */
const renew = (): Promise<boolean> =>
  (renewal ??= takeNextToken().finally(() => {
    renewal = null;
  }));

/** The cookie is that of whoever has logged in last, in whichever tab: a tab asks before it goes on as somebody else. */
async function takeNextToken(): Promise<boolean> {
  const { login: held, viewer } = session;
  const { login } = await askSession('POST');
  if (!login || !held) return false;
  const { result, refused } = await sendQuery({ query: ViewerDocument }, login.credential);
  if (refused === 'UNAUTHENTICATED') return false;
  const reason = describeErrors(result);
  if (reason !== null) throw new Error(reason);
  if (held !== session.login) return false;
  const isSame = nameOf(viewer) === nameOf((result.data as ViewerQuery).viewer);
  if (isSame) updateSession({ login });
  else endSession(held, readMessages().session.otherPerson);
  return isSame;
}

/** Tells people apart, also those of other businesses. */
const nameOf = (viewer: Viewer | null): string => `${viewer?.business.id} ${viewer?.user?.id}`;

/** Reads an address of REST as the current viewer. Throws if no answer arrives. */
export async function fetchAsViewer(path: string, accept: string): Promise<Response> {
  await renewIfDue();
  const headers = { accept, ...(session.login && { authorization: `Bearer ${session.login.credential}` }) };
  return fetch(path, { headers, credentials: 'omit', cache: 'no-store' }).catch((error: unknown) => {
    throw new Unreachable(error);
  });
}

export function noteRateLimit(rateLimit: RateLimit | null): void {
  if (rateLimit) updateSession({ rateLimit });
}

/**
 * Milliseconds for which pages that follow changes collect them before they read: more while few requests of this minute are left.
 */
export function gatherMs(): number {
  const { rateLimit } = session;
  const isScarce = rateLimit && rateLimit.remaining < rateLimit.limit * 0.2 && Date.now() < rateLimit.fullAtMs;
  return isScarce ? 5_000 : 250;
}

/** Sends a query as the current viewer and returns the data. Throws with the service's message if the answer has errors. */
export type ReadData = typeof readData;

export async function readData<Data, Taken>(
  query: TypedDocument<Data, Taken>,
  variables?: VariablesOf<Taken>,
): Promise<Data> {
  const { result } = await sendAsViewer({ query, variables });
  const reason = describeErrors(result);
  if (reason !== null) throw new Error(reason);
  return result.data as Data;
}

/** Logs in with a credential if the service accepts it; otherwise returns the reason. */
async function acceptLogin(login: Login, refusal: string): Promise<string | null> {
  const { result, refused } = await sendQuery({ query: ViewerDocument }, login.credential);
  if (refused === 'UNAUTHENTICATED') return refusal;
  const reason = describeErrors(result);
  if (reason !== null) return reason;
  const { viewer, rateLimit } = result.data as ViewerQuery;
  const { limit, remaining, resetSeconds } = rateLimit;
  storeLogin(login);
  if (login.isKept) noteKept(nameOf(viewer));
  updateSession({
    phase: 'in',
    login,
    viewer,
    rateLimit: { limit, remaining, fullAtMs: Date.now() + resetSeconds * 1000 },
    notice: null,
    offeredDemo: null,
    isUnreachable: false,
  });
  return null;
}

/** Goes on with a log-in from before, or says why it cannot. */
async function resume(login: Login | null, refusal: string): Promise<void> {
  const notice = login ? await acceptLogin(login, refusal) : refusal;
  if (notice === null) return;
  storeLogin(null);
  updateSession({ ...out, notice });
}

/** Reads the viewer again after a change of what the pages show of them. */
export async function rereadViewer(): Promise<void> {
  const { result } = await sendAsViewer({ query: ViewerDocument });
  if (result.data) updateSession({ viewer: (result.data as ViewerQuery).viewer });
}

/** Returns the reason why the log-in failed; null on success. `isKept` lets the browser keep it over tabs and restarts. */
export async function logIn(email: string, password: string, isKept = false): Promise<string | null> {
  const { session: texts } = readMessages();
  const answer = await askSession('POST', { email, password, keep: isKept });
  if (answer.login) return acceptLogin(answer.login, texts.refused);
  const { refusal, retryAfterS } = answer;
  return retryAfterS === null ? refusal : texts.tryAgain(refusal, retryAfterS);
}

export const logInWithKey = (key: string): Promise<string | null> =>
  acceptLogin({ credential: key, isApiKey: true, expiresAtMs: null }, readMessages().session.keyRefused);

/** Removes the credential here at once and revokes a personal token on the service. */
export async function logOut(): Promise<void> {
  const { session: texts } = readMessages();
  const { login, viewer } = session;
  // The cookie may be that of somebody else by now.
  const isKeptHere = login?.isKept === true && keptPerson() === nameOf(viewer);
  if (isKeptHere) noteKept(null);
  forgetDrafts();
  storeLogin(null);
  updateSession(out);
  if (!login || login.isApiKey) return;
  try {
    if (isKeptHere) return void (await askSession('DELETE'));
    const { result, refused } = await sendQuery({ query: LogOutDocument }, login.credential);
    const reason = refused === 'UNAUTHENTICATED' ? null : describeErrors(result);
    if (reason !== null) notifyIfLoggedOut(texts.tokenLives(reason));
  } catch {
    notifyIfLoggedOut(texts.tokenForgotten);
  }
}

/** Sends requests with the board token of a screen from now on. There is no viewer, and the token is kept by its owner. */
export function startAsScreen(boardToken: string): void {
  updateSession({
    ...out,
    phase: 'in',
    login: { credential: boardToken, isApiKey: false, expiresAtMs: null },
  });
}

/** Forgets the credential here, and leaves it as it is on the service. */
export const forgetSession = (): void => updateSession(out);

/** Key of session storage under which forms keep what is not saved. */
export const draftPrefix = 'callboard:draft:';

/** What one person has typed is not for the next at this tab. */
function forgetDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(draftPrefix)) sessionStorage.removeItem(key);
  } catch {
    // Without storage there are no drafts.
  }
}

function notifyIfLoggedOut(notice: string): void {
  if (session.phase === 'out') updateSession({ notice });
}

/** Called when the service no longer accepts the credential. The page stays, behind the log-in dialog. */
function endSession(login: Login, why?: string): void {
  if (login !== session.login) return;
  const { isApiKey, expiresAtMs } = login;
  const { session: texts } = readMessages();
  storeLogin(null);
  const hasExpired = expiresAtMs !== null && expiresAtMs <= Date.now();
  const notice = why ?? (hasExpired ? texts.dayEnded : isApiKey ? texts.keyEnded : texts.tokenEnded);
  updateSession({ login: null, rateLimit: null, notice });
}

/** Resumes the session of this tab. If there is none, logs in as the demo account that a link names; otherwise offers it. */
export async function startSession(demoEmail: string | null): Promise<void> {
  const { session: texts } = readMessages();
  try {
    if (session.phase !== 'in') {
      const stored = readStored('sessionStorage', storageKey) as Login | null;
      const hasExpired = (stored?.expiresAtMs ?? Infinity) <= Date.now();
      if (stored) await resume(stored, hasExpired ? texts.hasExpired : texts.wasEnded);
      else if (keepsLogin()) await resume((await askSession('POST')).login, texts.wasEnded);
    }
    if (demoEmail !== null) await openDemo(demoEmail);
    else if (session.phase === 'starting') updateSession(out);
  } catch (error) {
    updateSession({ ...out, notice: (error as Error).message, isUnreachable: error instanceof Unreachable });
  }
}

/** Logs in as a demo account, or offers it: any page can send this tab to a link, so a link alone ends no session. */
async function openDemo(email: string): Promise<void> {
  const { password, logIns } = await readDemo();
  const isKnown = password !== null && logIns.some((known) => known.email === email);
  if (session.phase === 'in') {
    if (isKnown && session.login && session.viewer?.email !== email) updateSession({ offeredDemo: email });
    return;
  }
  const refusal = isKnown ? await logIn(email, password) : readMessages().session.notDemo(email);
  if (refusal !== null) updateSession({ ...out, notice: refusal });
}

export const declineDemo = (): void => updateSession({ offeredDemo: null });

/** Logs out, and in as the offered demo account. */
export async function acceptDemo(): Promise<void> {
  const { offeredDemo } = session;
  await logOut();
  await startSession(offeredDemo);
}

function storeLogin(login: Login | null): void {
  store('sessionStorage', storageKey, login?.isKept ? null : login);
}
