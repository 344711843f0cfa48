/** The verbs of an address, and what each of them does in words, if it is documented. */
export type Verbs = ReadonlyMap<string, string | undefined>;

/** The verbs of every address that is served. */
export type ServedVerbs = ReadonlyMap<string, Verbs>;

/** Says that an address has no such verb, which it has, what they do, and what to send instead. */
export function describeWrongVerb(served: ServedVerbs, url: string, verb: string): string {
  const verbs = [...(served.get(url) ?? [])].filter(([name]) => name !== 'HEAD');
  const known = verbs.map(([name, summary]) => (summary ? `${name} (${uncapitalize(summary)})` : name));
  const hint = findInstead(served, url, verb);
  return `This address does not support ${verb}, but ${known.join(', ')}.${hint ? ` ${hint}` : ''}`;
}

const uncapitalize = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

function findInstead(served: ServedVerbs, url: string, verb: string): string | undefined {
  const has = (address: string, name: string) => served.get(address)?.has(name) === true;
  if (verb === 'PATCH' && has(url, 'PUT')) return 'Send PUT: it changes only the fields that are sent.';
  const ofOneRow = verb === 'PATCH' ? 'PUT' : verb;
  const rows = [...served.keys()].filter(
    (address) => /^\/:\w+$/.test(address.slice(url.length)) && address.startsWith(url),
  );
  const row = rows.find((address) => has(address, ofOneRow));
  if (row)
    return `To ${ofOneRow === 'DELETE' ? 'delete' : 'change'} one row, send ${ofOneRow} to ${spellAddress(row)}.`;
  const list = url.replace(/\/:\w+$/, '');
  if (verb === 'POST' && list !== url && has(list, 'POST')) return `To create one, send POST to ${spellAddress(list)}.`;
  return undefined;
}

/** `/v1/events/:uuid` -> `/v1/events/{uuid}`, as OpenAPI writes it. */
const spellAddress = (url: string) => url.replaceAll(/:(\w+)/g, '{$1}');
