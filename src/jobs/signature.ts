import { createHmac } from 'node:crypto';

/** The part of a signing secret that says what it is. */
const secretPrefix = 'whsec_';

/** Makes the headers of Standard Webhooks 1.0. During a rotation there are several secrets, and one of the signatures has to match. */
export function signMessage(
  { id, at, body }: { readonly id: string; readonly at: Date; readonly body: string },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/** The `webhook-id` of a message, the same in all of its attempts. */
export function webhookIdOf(uuid: string): string {
  return `msg_${uuid.replaceAll('-', '')}`;
}
