import {
  sendQuery,
  describeErrors,
  unreachable,
  type ServiceAnswer,
  type RateLimit,
  type GraphQLRequest,
  type Variables,
} from './service.ts';

/*
 * Keeps who is logged in. The credential is stored in this tab's session storage and nowhere else. Where a person wants to stay
 * logged in on a device, the browser keeps a cookie that only `/session` takes, and the page has short tokens in memory.
 */

export type Role = 'ADMIN' | 'STAFF' | 'CLIENT';

export type Weekday = 'MONDAY' | 'TUESDAY' | 'WEDNESDAY' | 'THURSDAY' | 'FRIDAY' | 'SATURDAY' | 'SUNDAY';

export interface Viewer {
  readonly name: string;
  readonly email: string | null;
  readonly role: Role;
  /** Null for an API key. */
  readonly user: { readonly id: string } | null;
  readonly business: {
    readonly id: string;
    readonly name: string;
    readonly plan: string;
    readonly timezone: string;
    readonly weekStart: Weekday;
  };
}

interface Login {
  readonly credential: string;
  readonly isApiKey: boolean;
  /** Null for a credential that does not expire. */
  readonly expiresAtMs: number | null;
  /** Whether the browser keeps the log-in, and makes a new token when this one ends. */
  readonly isKept?: boolean;
}

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
/** Says that this browser keeps a log-in. The cookie itself cannot be read by a page. */
const keptKey = 'callboard:keeps-login';
/** A kept log-in gets its next token so long before this one ends. */
const renewedAheadMs = 60_000;
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

/** Reads an address of REST as the current viewer. Throws if no answer arrives. */
export async function fetchAsViewer(path: string, accept: string): Promise<Response> {
  await renewIfDue();
  const headers = { accept, ...(session.login && { authorization: `Bearer ${session.login.credential}` }) };
  return fetch(path, { headers, credentials: 'omit', cache: 'no-store' }).catch((error: unknown) => {
    throw new Error(unreachable, { cause: error });
  });
}

export function noteRateLimit(rateLimit: RateLimit | null): void {
  if (rateLimit) updateSession({ rateLimit });
}

/** Sends a query as the current viewer and returns the data. Throws with the service's message if the answer has errors. */
export type ReadData = <Data>(query: string, variables?: Variables) => Promise<Data>;

export const readData: ReadData = async <Data>(query: string, variables?: Variables) => {
  const { result } = await sendAsViewer({ query, variables });
  const reason = describeErrors(result);
  if (reason !== null) throw new Error(reason);
  return result.data as Data;
};

let renewal: Promise<boolean> | null = null;

async function renewIfDue(): Promise<void> {
  const { login } = session;
  if (login?.isKept && (login.expiresAtMs ?? 0) < Date.now() + renewedAheadMs) await renew();
}

/** Gets the next token of the kept log-in. Returns whether there is one. Requests that need it at one time share it. */
const renew = (): Promise<boolean> =>
  (renewal ??= askSession('POST', {})
    .then((answer) => {
      if (!answer.login) return false;
      updateSession({ login: answer.login });
      return true;
    })
    .finally(() => {
      renewal = null;
    }));

type KeptAnswer =
  { readonly login: Login; readonly refusal: null } | { readonly login: null; readonly refusal: string };

/** Calls the one address that takes the cookie of a kept log-in. Throws if no answer arrives. */
async function askSession(method: 'POST' | 'DELETE', body: Record<string, unknown>): Promise<KeptAnswer> {
  const response = await fetch('/session', {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'same-origin',
    cache: 'no-store',
    // A log-out reaches the service also if the page is closed at once.
    keepalive: true,
  }).catch((error: unknown) => {
    throw new Error(unreachable, { cause: error });
  });
  // The log-in may still hold: a service that is restarted is asked again later.
  if (response.status >= 500) throw new Error(unreachable);
  const answer = (await response.json().catch(() => ({}))) as {
    readonly access_token?: string;
    readonly expires_in?: number;
    readonly message?: string;
  };
  if (answer.access_token === undefined)
    return { login: null, refusal: answer.message ?? `The service answered ${response.status} without saying more.` };
  const expiresAtMs = Date.now() + (answer.expires_in ?? 0) * 1000;
  return { login: { credential: answer.access_token, isApiKey: false, expiresAtMs, isKept: true }, refusal: null };
}

const viewerQuery = `query Viewer {
  viewer { name email role user { id } business { id name plan timezone weekStart } }
  rateLimit { limit remaining resetSeconds }
}`;

interface ViewerData {
  readonly viewer: Viewer;
  readonly rateLimit: { readonly limit: number; readonly remaining: number; readonly resetSeconds: number };
}

/** Logs in with a credential if the service accepts it; otherwise returns the reason. */
async function acceptLogin(login: Login, refusal: string): Promise<string | null> {
  const { result, refused } = await sendQuery({ query: viewerQuery }, login.credential);
  if (refused === 'UNAUTHENTICATED') return refusal;
  const reason = describeErrors(result);
  if (reason !== null) return reason;
  const { viewer, rateLimit } = result.data as unknown as ViewerData;
  const { limit, remaining, resetSeconds } = rateLimit;
  storeLogin(login);
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

/** Reads the viewer again after a change of what the pages show of them. */
export async function rereadViewer(): Promise<void> {
  const { result } = await sendAsViewer({ query: viewerQuery });
  if (result.data) updateSession({ viewer: (result.data as unknown as ViewerData).viewer });
}

const loginMutation = `mutation LogIn($email: String!, $password: String!) {
  login(email: $email, password: $password) { accessToken expiresIn }
}`;

/** Returns the reason why the log-in failed; null on success. `isKept` lets the browser keep it over tabs and restarts. */
export async function logIn(email: string, password: string, isKept = false): Promise<string | null> {
  if (isKept) {
    const answer = await askSession('POST', { email, password, keep: true });
    return answer.login ? acceptLogin(answer.login, 'The log-in was not accepted.') : answer.refusal;
  }
  const { result, refused, retryAfterS } = await sendQuery(
    { query: loginMutation, variables: { email, password } },
    null,
  );
  const reason = describeErrors(result);
  if (refused === 'RATE_LIMITED' && retryAfterS !== null)
    return `${reason} Try again in ${formatDuration(retryAfterS)}.`;
  if (reason !== null) return reason;
  const { login } = result.data as { login: { accessToken: string; expiresIn: number } };
  const expiresAtMs = Date.now() + login.expiresIn * 1000;
  return acceptLogin({ credential: login.accessToken, isApiKey: false, expiresAtMs }, 'The log-in was not accepted.');
}

export const logInWithKey = (key: string): Promise<string | null> =>
  acceptLogin(
    { credential: key, isApiKey: true, expiresAtMs: null },
    'This API key is not valid, has expired, or was revoked.',
  );

/** Removes the credential here at once and revokes a personal token on the service. */
export async function logOut(): Promise<void> {
  const { login } = session;
  forgetDrafts();
  storeLogin(null);
  updateSession(out);
  if (!login || login.isApiKey) return;
  try {
    if (login.isKept) return void (await askSession('DELETE', {}));
    const { result, refused } = await sendQuery({ query: 'mutation LogOut { logout { revoked } }' }, login.credential);
    const reason = refused === 'UNAUTHENTICATED' ? null : describeErrors(result);
    if (reason !== null) notifyIfLoggedOut(`You are logged out here, but the service did not end the token: ${reason}`);
  } catch {
    notifyIfLoggedOut('You are logged out here. The service could not be reached; the token expires within a day.');
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
function endSession({ isApiKey, expiresAtMs }: Login): void {
  storeLogin(null);
  const hasExpired = expiresAtMs !== null && expiresAtMs <= Date.now();
  const revoked = isApiKey
    ? 'This API key is no longer accepted: it has expired, or was revoked.'
    : 'Your log-in is no longer accepted: the token was revoked, or your account changed.';
  const expired = 'Your log-in has expired after a day.';
  updateSession({
    login: null,
    rateLimit: null,
    notice: `${hasExpired ? expired : revoked} Log in again to continue.`,
  });
}

/** Resumes the session of this tab. If there is none, logs in as the demo account that a link names; otherwise offers it. */
export async function startSession(demoEmail: string | null): Promise<void> {
  const stored = storedLogin();
  try {
    if (stored && session.phase !== 'in') await resume(stored);
    if (!stored && session.phase !== 'in' && keepsLogin()) await resumeKept();
    if (demoEmail !== null) await (session.phase === 'in' ? offerDemo(demoEmail) : startDemo(demoEmail));
    else if (session.phase === 'starting') updateSession(out);
  } catch (error) {
    const { message } = error as Error;
    updateSession({ ...out, notice: message, isUnreachable: message === unreachable });
  }
}

async function resumeKept(): Promise<void> {
  const { login } = await askSession('POST', {});
  const refusal = login ? await acceptLogin(login, 'Log in again.') : 'You were logged out. Log in again.';
  if (refusal === null) return;
  storeLogin(null);
  updateSession({ ...out, notice: refusal });
}

async function resume(login: Login): Promise<void> {
  const expired = login.expiresAtMs !== null && login.expiresAtMs <= Date.now();
  const refusal = await acceptLogin(
    login,
    expired ? 'Your log-in has expired. Log in again.' : 'You were logged out. Log in again.',
  );
  if (refusal === null) return;
  storeLogin(null);
  updateSession({ ...out, notice: refusal });
}

async function startDemo(email: string): Promise<void> {
  const { password, logIns } = await readDemo();
  if (password === null || !logIns.some((known) => known.email === email))
    return updateSession({ ...out, notice: `${email} is not a demo account of this service.` });
  const refusal = await logIn(email, password);
  if (refusal !== null) updateSession({ ...out, notice: refusal });
}

/** Any page can send this tab to a link, so a link alone ends no session. */
async function offerDemo(email: string): Promise<void> {
  const { logIns } = await readDemo();
  const isOther = session.login && session.viewer && session.viewer.email !== email;
  if (isOther && logIns.some((known) => known.email === email)) updateSession({ offeredDemo: email });
}

export const declineDemo = (): void => updateSession({ offeredDemo: null });

/** Logs out, and in as the offered demo account. */
export async function acceptDemo(): Promise<void> {
  const { offeredDemo } = session;
  await logOut();
  await startSession(offeredDemo);
}

function storeLogin(login: Login | null): void {
  try {
    if (login?.isKept) localStorage.setItem(keptKey, 'yes');
    else localStorage.removeItem(keptKey);
    if (login && !login.isKept) sessionStorage.setItem(storageKey, JSON.stringify(login));
    else sessionStorage.removeItem(storageKey);
  } catch {
    // Without storage the log-in holds for this page.
  }
}

function storedLogin(): Login | null {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as Login | null;
  } catch {
    return null;
  }
}

export interface Demo {
  readonly password: string | null;
  readonly logIns: readonly { readonly email: string; readonly role: string; readonly business: string }[];
}

function keepsLogin(): boolean {
  try {
    return localStorage.getItem(keptKey) !== null;
  } catch {
    return false;
  }
}

let demo: Promise<Demo> | undefined;

/** Reads the demo accounts; the list is empty without demo data. */
export const readDemo = (): Promise<Demo> =>
  (demo ??= fetch('/demo.json')
    .then(async (response) => (response.ok ? ((await response.json()) as Demo) : noDemo))
    .catch(() => noDemo));

const noDemo: Demo = { password: null, logIns: [] };

function formatDuration(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? 'a second' : `${Math.ceil(seconds)} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
