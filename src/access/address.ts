import { isIP } from 'node:net';

/**
 * The key under which calls of one IP address are counted: the IPv4 address, also when it is written as IPv6
 * (::ffff:192.0.2.1), or the /64 network of an IPv6 address, because one customer usually owns all of it. All values that
 * are no address, such as garbage from a proxy or the missing address of a closed connection, count as one caller.
 */
export function callerAt(address: string | undefined): string {
  const bare = (address ?? '')
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/%.*$/, '')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1');
  if (isIP(bare) === 4) return bare;
  return isIP(bare) === 6 ? networkOf(wordsOf(bare)) : 'unknown';
}

function networkOf(words: readonly number[]): string {
  const isMapped = words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff;
  const [high = 0, low = 0] = words.slice(6);
  if (isMapped) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  return `${words
    .slice(0, 4)
    .map((word) => word.toString(16))
    .join(':')}::/64`;
}

/** The eight numbers of an IPv6 address. */
function wordsOf(address: string): number[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = '', after] = canonical.split('::');
  const read = (part: string) => (part === '' ? [] : part.split(':').map((word) => parseInt(word, 16)));
  const [head, tail] = [read(before), read(after ?? '')];
  return after === undefined ? head : [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}
