import { ask, explain, type Answer, type Budget, type Question } from './service.ts';
import type { Role } from './examples.ts';
import type { Look } from './live.ts';

/* Who is logged in. The credential lives in this tab's session storage, and in no other place. */

export interface Viewer {
  readonly name: string;
  readonly email: string | null;
  readonly role: Role;
  readonly businessName: string;
  readonly plan: string;
}

export interface Login {
  readonly credential: string;
  readonly isApiKey: boolean;
  /** Null where it does not expire by itself. */
  readonly expiresAtMs: number | null;
}

export interface Session {
  readonly phase: 'starting' | 'out' | 'in';
  readonly login: Login | null;
  readonly viewer: Viewer | null;
  readonly budget: Budget | null;
  /** Why nobody is logged in any more, or could not be. */
  readonly notice: string | null;
}

const storageKey = 'callboard:login';
const out: Session = { phase: 'out', login: null, viewer: null, budget: null, notice: null };

let session: Session = { ...out, phase: 'starting' };
const listeners = new Set<() => void>();

export const readSession = (): Session => session;

export function watchSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function change(next: Partial<Session>): void {
  session = { ...session, ...next };
  for (const listener of listeners) listener();
}

/** Asks as whoever is logged in, and notes what the answer says about the credential and the budget. */
export async function askAsViewer(question: Question, signal?: AbortSignal): Promise<Answer> {
  const { login } = session;
  const answer = await ask(question, login?.credential ?? null, signal);
  if (login && login === session.login) {
    if (answer.refused === 'UNAUTHENTICATED') end(login);
    else noteBudget(answer.budget);
  }
  return answer;
}

export function noteBudget(budget: Budget | null): void {
  if (budget) change({ budget });
}

/** For examples: the data, or the service's own words. */
export const look: Look = async <Data>(query: string, variables?: Record<string, unknown>) => {
  const { result } = await askAsViewer({ query, variables });
  const reason = explain(result);
  if (reason !== null) throw new Error(reason);
  return result.data as Data;
};

const viewerQuery = `query Viewer {
  viewer { name email role businessName plan }
  rateLimit { limit remaining resetSeconds }
}`;

interface ViewerData {
  readonly viewer: Viewer;
  readonly rateLimit: { readonly limit: number; readonly remaining: number; readonly resetSeconds: number };
}

/** Takes a credential if the service does; answers why not. */
async function enter(login: Login, refusal: string): Promise<string | null> {
  const { result, refused } = await ask({ query: viewerQuery }, login.credential);
  if (refused === 'UNAUTHENTICATED') return refusal;
  const reason = explain(result);
  if (reason !== null) return reason;
  const { viewer, rateLimit } = result.data as unknown as ViewerData;
  const { limit, remaining, resetSeconds } = rateLimit;
  sessionStorage.setItem(storageKey, JSON.stringify(login));
  change({
    phase: 'in',
    login,
    viewer,
    budget: { limit, remaining, fullAtMs: Date.now() + resetSeconds * 1000 },
    notice: null,
  });
  return null;
}

const loginMutation = `mutation LogIn($email: String!, $password: String!) {
  login(email: $email, password: $password) { accessToken expiresIn }
}`;

/** Answers why it did not work; null: it did. */
export async function logIn(email: string, password: string): Promise<string | null> {
  const { result, refused, retryAfterS } = await ask({ query: loginMutation, variables: { email, password } }, null);
  const reason = explain(result);
  if (refused === 'RATE_LIMITED' && retryAfterS !== null) return `${reason} Try again in ${inWords(retryAfterS)}.`;
  if (reason !== null) return reason;
  const { login } = result.data as { login: { accessToken: string; expiresIn: number } };
  const expiresAtMs = Date.now() + login.expiresIn * 1000;
  return enter({ credential: login.accessToken, isApiKey: false, expiresAtMs }, 'The log-in was not accepted.');
}

export const logInWithKey = (key: string): Promise<string | null> =>
  enter({ credential: key, isApiKey: true, expiresAtMs: null }, 'This API key is not valid, or was revoked.');

/** Forgets the credential here at once, and ends a personal token on the service. */
export async function logOut(): Promise<void> {
  const { login } = session;
  sessionStorage.removeItem(storageKey);
  change(out);
  if (!login || login.isApiKey) return;
  try {
    const { result, refused } = await ask({ query: 'mutation LogOut { logout { revoked } }' }, login.credential);
    const reason = refused === 'UNAUTHENTICATED' ? null : explain(result);
    if (reason !== null) tellIfOut(`You are logged out here, but the service did not end the token: ${reason}`);
  } catch {
    tellIfOut('You are logged out here. The service could not be told; the token ends by itself within a day.');
  }
}

function tellIfOut(notice: string): void {
  if (session.phase === 'out') change({ notice });
}

/** The service takes the credential no longer: what stands on the page stays, behind the log-in box. */
function end({ isApiKey, expiresAtMs }: Login): void {
  sessionStorage.removeItem(storageKey);
  const hasExpired = expiresAtMs !== null && expiresAtMs <= Date.now();
  const revoked = isApiKey
    ? 'This API key is no longer accepted: it was revoked.'
    : 'Your log-in is no longer accepted: it was ended elsewhere, or your account changed.';
  const expired = 'Your log-in has expired: one lasts a day.';
  change({ login: null, budget: null, notice: `${hasExpired ? expired : revoked} Log in again to go on.` });
}

/** Goes on where this tab was, or logs in as the demo account that the address names. */
export async function startSession(demoEmail: string | null): Promise<void> {
  const stored = storedLogin();
  try {
    if (demoEmail !== null) await startDemo(demoEmail, stored);
    else if (stored) await resume(stored);
    else change(out);
  } catch (error) {
    change({ ...out, notice: (error as Error).message });
  }
}

async function resume(login: Login): Promise<void> {
  const expired = login.expiresAtMs !== null && login.expiresAtMs <= Date.now();
  const refusal = await enter(login, expired ? 'Your log-in has expired. Log in again.' : 'You were logged out.');
  if (refusal === null) return;
  sessionStorage.removeItem(storageKey);
  change({ ...out, notice: refusal });
}

async function startDemo(email: string, stored: Login | null): Promise<void> {
  const { password, logIns } = await readDemo();
  if (password === null || !logIns.some((known) => known.email === email))
    return change({ ...out, notice: `${email} is no demo account here.` });
  if (stored && !stored.isApiKey) await ask({ query: 'mutation LogOut { logout { revoked } }' }, stored.credential);
  const refusal = await logIn(email, password);
  if (refusal !== null) change({ ...out, notice: refusal });
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

let demo: Promise<Demo> | undefined;

/** The demo accounts; none where there is no demo. */
export const readDemo = (): Promise<Demo> =>
  (demo ??= fetch('/demo.json')
    .then(async (response) => (response.ok ? ((await response.json()) as Demo) : noDemo))
    .catch(() => noDemo));

const noDemo: Demo = { password: null, logIns: [] };

export function inWords(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? 'a second' : `${Math.ceil(seconds)} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
