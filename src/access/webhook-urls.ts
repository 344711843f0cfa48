import { BlockList, isIP } from 'node:net';

export interface WebhookUrlRules {
  /** Whether plain http is refused. */
  readonly httpsOnly: boolean;
  /** Addresses and CIDR ranges inside that may be named. */
  readonly allow: readonly string[];
}

/**
 * Makes a check of the URLs that webhooks are given. It looks no name up: what a name resolves to is checked at each delivery,
 * because it can change.
 */
export function createWebhookUrlCheck({ httpsOnly, allow }: WebhookUrlRules): (url: string) => string[] {
  const allowed = rangesOf(allow);
  const isAllowed = (address: string) => allowed.check(address, familyOf(address));
  const isInside = (host: string): boolean =>
    isIP(host) === 0
      ? /^(.+\.)?localhost\.?$/.test(host) && !loopback.some(isAllowed)
      : !isPublic(host) && !isAllowed(host);
  const protocols = httpsOnly ? ['https:'] : ['https:', 'http:'];
  return (text) => {
    // The parser would drop white space and turn backslashes, so that another URL would be stored than is used.
    const url = /^[a-z]+:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text) ? new URL(text) : null;
    if (!url || !protocols.includes(url.protocol))
      return [`must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`];
    const faults = [];
    if (url.username !== '' || url.password !== '') faults.push('must not have a user name or password');
    if (text.includes('#')) faults.push('must not have a fragment');
    if (isInside(url.hostname.replace(/^\[(.*)\]$/, '$1')))
      faults.push('must have a host that is public, and no private address or localhost');
    return faults;
  };
}

/** Ranges without public hosts, in IPv4 and within the public part of IPv6. */
const specialRanges = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/3', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
];

const special = rangesOf(specialRanges);
const globalUnicast = rangesOf(['2000::/3']);
const loopback = ['127.0.0.1', '::1'];

/** Whether an address is one of the public internet. */
export function isPublic(address: string): boolean {
  const family = familyOf(address);
  return !special.check(address, family) && (family === 'ipv4' || globalUnicast.check(address, family));
}

export function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** Addresses and CIDR ranges, to check addresses against. */
export function rangesOf(list: readonly string[]): BlockList {
  const ranges = new BlockList();
  for (const entry of list) {
    const [address = '', prefix] = entry.split('/');
    const family = familyOf(address);
    ranges.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return ranges;
}
