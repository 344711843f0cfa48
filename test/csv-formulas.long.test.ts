import { expect, test } from '@jest/globals';
import { formatCsv } from '../src/http/csv.ts';
import { useOneTenant, useService } from './support/app.ts';
import { askCsv, readCsv } from './support/csv.ts';

const service = useService();
const tenant = useOneTenant(service);

const triggers = [...'=+-@\t\r', ...'＝＋－＠', ...'﹦﹢﹣﹫', ...'⁼⁺⁻', ...'₌₊₋', '\u2212'];

/** Characters that nobody sees, or that spreadsheets skip. */
const invisible = [
  ['zero-width space', '\u200b'],
  ['right-to-left override', '\u202e'],
  ['unit separator', '\u001f'],
  ['escape', '\u001b'],
  ['delete', '\u007f'],
  ['next line', '\u0085'],
  ['no-break space', '\u00a0'],
  ['soft hyphen', '\u00ad'],
  ['combining acute accent', '\u0301'],
  ['combining grapheme joiner', '\u034f'],
  ['Hangul filler', '\u3164'],
  ['Mongolian vowel separator', '\u180e'],
  ['ideographic space', '\u3000'],
  ['line separator', '\u2028'],
  ['paragraph separator', '\u2029'],
  ['word joiner', '\u2060'],
  ['braille pattern blank', '\u2800'],
  ['byte order mark', '\ufeff'],
  ['variation selector 16', '\ufe0f'],
  ['variation selector 17', '\u{e0100}'],
  ['language tag', '\u{e0001}'],
  ['private use', '\ue000'],
  ['a mixture', '\u200b \u202e\u001f\u0301'],
] as const;

/** A cell as it is written. It stands beside another, because a line with one empty cell is written differently. */
const written = (text: string) => readCsv(formatCsv([[text, 'x']]))[0]![0];

test('every control, format, space and mark character before a formula is seen through', () => {
  const hidden = /[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/u;
  const missed: string[] = [];
  let count = 0;
  for (let code = 1; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    // A lone surrogate cannot be stored.
    if ((code >= 0xd800 && code <= 0xdfff) || !hidden.test(character)) continue;
    count++;
    const [line] = formatCsv([[`${character}=1+1`, 'x']]).split('\r\n');
    if (!/^"?'/.test(line!)) missed.push(code.toString(16));
  }
  expect(missed).toEqual([]);
  expect(count).toBeGreaterThan(100_000);
});

test.each(triggers.map((trigger) => [trigger]))('%j begins a formula, also behind invisible characters', (trigger) => {
  for (const [, before] of [['none', ''], ...invisible])
    expect(written(`${before}${trigger}1+1`)).toBe(`'${before}${trigger}1+1`);
});

test.each(['Gala', '\u200bGala', '\u202eGala = party', 'a=1', '"=1', '', ' ', '007', '-12.50', '-73.99', '\u0301'])(
  'text that begins with another character, and a number, stays as it is: %j',
  (text) => expect(written(text)).toBe(text),
);

test('a long text of spaces takes no longer than its length', () => {
  const spaces = ' '.repeat(1_000_000);
  expect(written(`${spaces}x`)).toBe(`${spaces}x`);
});

test('a title that begins with an invisible character and = is disarmed over REST and GraphQL', async () => {
  const titles = new Map<string, string>();
  for (const [name, before] of invisible)
    titles.set((await service.createEvent(tenant.business, { title: `${before}=1+1` })).uuid, name);
  const as = (await service.createKey(tenant.business)).key;
  const rest = await askCsv(service, '/v1/events?per_page=100', { as });
  const graphql = await askCsv(service, { query: '{ events(perPage: 100) { nodes { uuid title } } }' }, { as });
  for (const { header, rows } of [rest, graphql]) {
    const shown = rows.map((cells) => ({
      name: titles.get(cells[header.indexOf('uuid')]!),
      title: cells[header.indexOf('title')],
    }));
    expect(shown.map(({ name }) => name).sort()).toEqual([...titles.values()].sort());
    for (const { name, title } of shown)
      expect({ name, title }).toEqual({ name, title: expect.stringMatching(/^'.*=1\+1$/su) });
  }
});
