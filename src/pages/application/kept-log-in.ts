import { readMessages } from '../console/messages/messages.ts';
import { readRetryAfter, Unreachable } from './service.ts';
import { readStored, store } from './storage.ts';

/*
 * Log-ins on the pages, which `/session` makes. One that a person keeps on a device has a cookie that only this address takes, and
 * the page has short tokens in memory.
 */

export interface Login {
  readonly credential: string;
  readonly isApiKey: boolean;
  /** Null for a credential that does not expire. */
  readonly expiresAtMs: number | null;
  /** Whether the browser keeps the log-in, and makes a new token when this one ends. */
  readonly isKept?: boolean;
}

/** Says whose log-in this browser keeps. The cookie itself cannot be read by a page. */
const keptKey = 'callboard:keeps-login';
/** The next token comes so long before this one ends. */
const renewedAheadMs = 60_000;

export const keptPerson = (): unknown => readStored('localStorage', keptKey);

export const keepsLogin = (): boolean => keptPerson() !== null;

export const noteKept = (person: string | null): void => store('localStorage', keptKey, person);

export const isRenewalDue = ({ isKept, expiresAtMs }: Login): boolean =>
  isKept === true && (expiresAtMs ?? 0) < Date.now() + renewedAheadMs;

type KeptAnswer =
  | { readonly login: Login; readonly refusal: null }
  | { readonly login: null; readonly refusal: string; readonly retryAfterS: number | null };

interface LogInBody {
  readonly email: string;
  readonly password: string;
  /** Whether the browser keeps the log-in. */
  readonly keep: boolean;
}

/** Asks for the next token, logs in, or logs out. Throws if no answer comes. */
export async function askSession(method: 'POST' | 'DELETE', body?: LogInBody): Promise<KeptAnswer> {
  const response = await fetch('/session', {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body ?? {}),
    credentials: 'same-origin',
    cache: 'no-store',
    // A log-out reaches the service also if the page is closed at once.
    keepalive: true,
  }).catch((error: unknown) => {
    throw new Unreachable(error);
  });
  // The log-in may still hold: a service that is restarted is asked again later.
  if (response.status >= 500) throw new Unreachable();
  if (response.status === 401 && !body) noteKept(null);
  const answer = (await response.json().catch(() => ({}))) as {
    readonly access_token?: string;
    readonly expires_in?: number;
    readonly message?: string;
  };
  if (answer.access_token === undefined)
    return {
      login: null,
      refusal: answer.message ?? readMessages().session.unclear(response.status),
      retryAfterS: readRetryAfter(response),
    };
  const expiresAtMs = Date.now() + (answer.expires_in ?? 0) * 1000;
  return {
    login: { credential: answer.access_token, isApiKey: false, expiresAtMs, isKept: body?.keep !== false },
    refusal: null,
  };
}
