import { createTransport, type SendMailOptions } from 'nodemailer';
import { limits } from '../config/limits.ts';
import type { Health } from '../health.ts';
import { oneLine, type MailConfig } from './mails-write.ts';

export interface ServerParts {
  readonly health: Health;
  /** How long the mail server may take to answer. */
  readonly attemptMs?: number;
  /** The first pause while the server is away. Each further one is twice as long, up to a limit. */
  readonly pauseMs?: number;
}

/**
 * Outcome of one attempt to send a mail. `bounce` is what the server said if it refused the mail for good; null: it may take it later.
 * `isUnsure`: the line was lost, so the server may have taken it.
 */
type Answer =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly bounce: string | null; readonly isUnsure: boolean }
  /** The server is away or refuses this service, which says nothing of the mail. `onMail`: it closed the line on this one. */
  | { readonly kind: 'away'; readonly onMail: boolean };

interface MailServer {
  /** How many mails may be under way now. */
  places(): number;
  send(mail: SendMailOptions): Promise<Answer>;
  /** Asks without a mail whether a server that was away is there again, if it is time to. */
  ask(): Promise<void>;
  close(): void;
}

/** The answer of a server that closes the line, whatever was sent to it. */
const closing = 421;
/** The commands whose answers are about a recipient or a mail. */
const ofMail = ['RCPT TO', 'DATA'];

/** Opens a mail server. While it is away, or refuses this service, it gets nothing but one mail at a time that asks for it. */
export function openMailServer(config: MailConfig, { health, attemptMs, pauseMs }: ServerParts): MailServer {
  const transport = openTransport(config, attemptMs ?? limits.deliveryMs);
  let pauses = 0;
  let pausedUntil = 0;
  const holdBack = (err: Error): void => {
    health.lose('mail', 'send', { err });
    if (performance.now() < pausedUntil) return;
    pausedUntil = performance.now() + Math.min((pauseMs ?? limits.mailPauseMs) * 2 ** pauses, limits.mailPauseMaxMs);
    pauses += 1;
  };
  const goOn = (): void => {
    health.regain('mail', 'send');
    pauses = 0;
    pausedUntil = 0;
  };
  let asking: Promise<boolean> | null = null;
  const isThere = (): Promise<boolean> =>
    (asking ??= transport
      .verify()
      .catch(() => false)
      .finally(() => (asking = null)));
  /** Whether a mail was refused for what it is or whom it is for. A line was lost because of the mail only if the server is there. */
  const isOfMail = ({ responseCode, command = '' }: SmtpError): Promise<boolean> | boolean =>
    responseCode ? responseCode !== closing && ofMail.includes(command) : isThere();
  const places = (): number => {
    if (performance.now() < pausedUntil) return 0;
    // Twice as many as connections, so that none waits for the next look.
    return pauses > 0 ? 1 : limits.messagesAtATime;
  };
  return {
    places,
    async send(mail) {
      const refusal = await transport.sendMail(mail).then(
        () => null,
        (error: SmtpError) => error,
      );
      if (refusal && !(await isOfMail(refusal))) {
        holdBack(refusal);
        return { kind: 'away', onMail: refusal.responseCode === closing };
      }
      goOn();
      return refusal
        ? { kind: 'refused', bounce: bounceOf(refusal), isUnsure: !refusal.responseCode }
        : { kind: 'taken' };
    },
    async ask() {
      if (pauses > 0 && places() > 0) await transport.verify().then(goOn, holdBack);
    },
    close: () => transport.close(),
  };
}

interface SmtpError extends Error {
  readonly responseCode?: number;
  readonly response?: string;
  readonly command?: string;
}

function bounceOf({ responseCode = 0, response, message }: SmtpError): string | null {
  if (responseCode < 500) return null;
  return oneLine(response ?? message).slice(0, limits.textChars);
}

function openTransport({ smtpUrl }: MailConfig, answerMs: number) {
  const { username, hostname, protocol } = new URL(smtpUrl);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: limits.messagesAtATime / 2,
    maxMessages: Infinity,
    connectionTimeout: limits.connectMs,
    dnsTimeout: limits.connectMs,
    greetingTimeout: Math.min(limits.connectMs, answerMs),
    socketTimeout: answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    // A password does not leave this machine unencrypted.
    ...(username !== '' && protocol === 'smtp:' && !isLocal && { requireTLS: true }),
  });
}
