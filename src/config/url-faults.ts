/**
 * Finds what is wrong with the URL of a server, in words that follow "expected". They repeat no part of it, because a part may be the
 * password.
 */
export function findUrlFault(text: string, protocols: readonly string[]): string | null {
  const starts = protocols.map((protocol) => `${protocol}://`);
  const [, scheme = '', rest = ''] = /^([a-z]+:\/\/)([^]*)$/i.exec(text) ?? [];
  if (!starts.includes(scheme.toLowerCase())) return `a URL that starts with ${starts.join(' or ')}`;
  // Pages and collectors have other addresses than databases.
  if (protocols.includes('http')) return URL.canParse(text) ? null : 'a URL that can be read';
  if (rest.includes('#')) return raw('#', '%23');
  const [before, query] = cut(rest, '?');
  const [authority, path] = cut(before, '/');
  if (path.includes('@')) return `${raw('/', '%2F')}, and @ in the name of a database is written %40`;
  if (/^[^=&]*@/.test(query)) return raw('?', '%3F');
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return findHostFault(host, authority) ?? (URL.canParse(text) ? null : `a URL such as ${starts[0]}user:password@host`);
}

function findHostFault(host: string, authority: string): string | null {
  if (host.includes(',')) return 'one host: for several servers, name a balancer in front of them';
  if (/^[^[].*:.*:/.test(host) || host.startsWith('::')) return 'an IPv6 address in brackets';
  const [, name = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(host) ?? [];
  if (name === '' && authority !== '')
    return 'a host behind the user and the password; a socket is written %2Fvar%2Frun';
  const isPort =
    port === undefined || port === '' || (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65535);
  return isPort ? null : 'a port from 1 to 65535 behind the host';
}

const raw = (sign: string, escape: string): string =>
  `no ${sign} in the user or the password: there it is written ${escape}`;

/** The text before and behind the first place of a sign. */
function cut(text: string, sign: string): [string, string] {
  const at = text.indexOf(sign);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
