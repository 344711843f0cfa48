import { lookup as lookUpName, type LookupAddress, type LookupAllOptions } from 'node:dns';
import type { Agent as HttpAgent } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { familyOf, isPublic, rangesOf } from '../access/webhook-urls.ts';
import { limits } from '../config/limits.ts';

type LookedUp = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;
export type LookUp = (name: string, options: LookupAllOptions, lookedUp: LookedUp) => void;

export interface TargetConfig {
  /** Addresses and CIDR ranges within our own network that receivers may have. */
  readonly allow: readonly string[];
  /** Whether only https is used. */
  readonly httpsOnly: boolean;
  /** Replaces the look-up of names. */
  readonly lookUp?: LookUp;
}

/** Where messages are sent: an address that was checked, and connections that check again what they connect to. */
export interface Target {
  readonly url: URL;
  readonly agent: HttpAgent;
  /** Closes the connections that are kept. */
  close(): void;
}

/** The target is no address that messages are sent to. The message is shown to the owner of the endpoint. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused';
}

/**
 * Makes targets of URLs. Every connection looks its name up anew, and connects to one of just those addresses that were checked: no
 * second look-up can give another one. Nothing here reads the proxy settings of the environment.
 */
export function createTargets({ allow, httpsOnly, lookUp = lookUpName as LookUp }: TargetConfig) {
  const allowed = rangesOf(allow);
  return {
    /** Throws `TargetRefused`. */
    open(text: string, sockets: number): Target {
      const url = checkUrl(text, httpsOnly);
      const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
      // Single addresses only: of a range, the agent would complain for each address of the other family.
      const allowIPAddressList: string[] = [];
      const check = (address: string): boolean => {
        // A link-local address names its interface.
        const [ip = ''] = address.split('%');
        if (!allowed.check(ip, familyOf(ip))) return isPublic(ip);
        allowIPAddressList.push(address);
        return true;
      };
      if (isIP(host) !== 0 && !check(host)) throw refused();
      const lookup: LookupFunction = (name, options, lookedUp) => {
        const startedMs = performance.now();
        // Owners of endpoints name any host. Where none is sent to, the reason and the time tell them nothing of our network.
        const refuse = (cause?: Error | null) => {
          const waitMs = limits.evenAnswerMs - (performance.now() - startedMs);
          setTimeout(() => lookedUp(refused(cause), []), Math.max(0, waitMs)).unref();
        };
        let isLate = false;
        const timer = setTimeout(() => {
          isLate = true;
          refuse();
        }, limits.connectMs).unref();
        lookUp(name, { ...options, all: true }, (error, addresses) => {
          const [first] = addresses ?? [];
          clearTimeout(timer);
          if (isLate) return;
          if (error || !first || !addresses.every(({ address }) => check(address))) refuse(error);
          else if (options.all) lookedUp(null, addresses);
          else lookedUp(null, first.address, first.family);
        });
      };
      const Agent = url.protocol === 'https:' ? RequestFilteringHttpsAgent : RequestFilteringHttpAgent;
      const options = { keepAlive: true, maxSockets: sockets, maxFreeSockets: sockets, allowIPAddressList, lookup };
      const agent = new Agent({ ...options, ...(url.protocol === 'https:' && { rejectUnauthorized: true }) });
      return { url, agent, close: () => agent.destroy() };
    },
  };
}

export type Targets = ReturnType<typeof createTargets>;

function checkUrl(text: string, httpsOnly: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !(httpsOnly ? ['https:'] : ['https:', 'http:']).includes(url.protocol))
    throw new TargetRefused(`The URL must start with https://${httpsOnly ? '' : ' or http://'}.`);
  if (url.username !== '' || url.password !== '') throw new TargetRefused('The URL must not have a user or password.');
  return url;
}

/** Unknown names and inner ones are refused alike. */
export const refused = (cause?: Error | null): TargetRefused =>
  new TargetRefused('The host has no public address.', { cause });

/** The filter of the agent refuses with an error of its own, which names the address. */
export function isRefusedByAgent(error: Error): boolean {
  return /is not allowed\. Because/.test(error.message);
}
