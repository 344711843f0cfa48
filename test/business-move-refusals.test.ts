import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileKey } from '../src/bin/business-file/format.ts';
import { startApp, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import {
  createOddBusiness,
  exportFrom,
  fileKey,
  fileOf,
  forgedFile,
  importInto,
  linesIn,
  newFile,
} from './support/moving-business.ts';

/* A file of a business that is damaged, changed, forged or of another version is refused as a whole. */

let source: TestApp;
let target: TestApp;
let tenant: Tenant;
let file: string;

beforeAll(async () => {
  [source, target] = [await startApp(), await startApp()];
  tenant = await createOddBusiness(source, 1);
  file = await exportFrom(source, tenant.business.id);
});

afterAll(async () => {
  await source.close();
  await target.close();
});

const businessId = () => tenant.business.id;

describe('a file is refused, and nothing is changed,', () => {
  const refusal = async (bad: string, key: typeof fileKey | null = fileKey): Promise<string> => {
    const message = await importInto(target, bad, key).then(
      () => 'imported',
      (error: Error) => error.message,
    );
    return (await target.prisma.business.count()) === 0 ? message : 'It is there.';
  };
  const forge = (change: (lines: string[]) => string[]) => forgedFile(change(linesIn(readFileSync(file))));
  const unsealed = (lines: string[]) => [
    JSON.stringify({ ...(JSON.parse(lines[0]!) as object), sealed: null }),
    ...lines.slice(1),
  ];
  const header = (facts: object) =>
    fileOf(
      linesIn(readFileSync(file)).map((line, at) =>
        at === 0 ? JSON.stringify({ ...(JSON.parse(line) as object), ...facts }) : line,
      ),
    );

  test('where it is cut off anywhere', async () => {
    const bytes = readFileSync(file);
    for (const share of [0, 0.001, 0.3, 0.7, 0.999]) {
      const cut = newFile();
      writeFileSync(cut, bytes.subarray(0, Math.floor(bytes.length * share)));
      expect(await refusal(cut)).toMatch(
        /is not imported: it is (empty|cut off|no export of a business, or it is damaged).*Nothing is changed\.$/,
      );
    }
    const lines = linesIn(readFileSync(file));
    expect(await refusal(fileOf(lines.slice(0, -1)))).toContain('it is cut off');
    expect(await refusal(fileOf([...lines, lines[1]!]))).toContain('it goes on behind its end');
  });

  test('where any byte was changed', async () => {
    const bytes = readFileSync(file);
    for (let at = 20; at < bytes.length; at += Math.ceil(bytes.length / 40)) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 0x40;
      const bad = newFile();
      writeFileSync(bad, changed);
      expect(await refusal(bad)).toContain('Nothing is changed.');
    }
    const lines = linesIn(bytes);
    const other = lines.map((line) => line.replace('"role":"staff"', '"role":"admin"'));
    expect(await refusal(fileOf(other))).toContain('it was changed');
    expect(await refusal(fileOf(lines.toSpliced(5, 1)))).toContain('it was changed');
  });

  test('where it was changed by somebody without the key, who made the digest anew', async () => {
    const bad = forge((lines) => lines.map((line) => line.replace('"role":"staff"', '"role":"admin"')));
    expect(await refusal(bad)).toContain('it was changed');
  });

  test('where it is of another version, schema or program', async () => {
    expect(await refusal(header({ version: 2 }))).toContain(
      'its format is version 2, and this Callboard reads version 1',
    );
    expect(await refusal(header({ schema: '20990101000000_later', callboard: '9.9.9' }))).toMatch(
      /its schema is 20990101000000_later, of Callboard 9\.9\.9, and this is Callboard \S+ with 2026\S+\. Bring both databases/,
    );
    expect(await refusal(header({ business: { id: 'x', name: 'y' } }))).toContain('its header is damaged');
    expect(await refusal(fileOf(['{"format":"other"}']))).toContain('it is no export of a business');
    expect(await refusal(fileOf(['null']))).toContain('it is no export of a business');
    const text = newFile();
    writeFileSync(text, 'no gzip');
    expect(await refusal(text)).toContain('it is no export of a business, or it is damaged');
    await expect(importInto(target, newFile())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('where its key is missing, another one, or none of it', async () => {
    expect(await refusal(file, null)).toContain('name their key with --key-file');
    const wrong = newFile();
    writeFileSync(wrong, 'x'.repeat(32));
    expect(await refusal(file, readFileKey(wrong))).toContain('its secrets are sealed with another key');
    expect(await refusal(await exportFrom(source, businessId(), null))).toContain('it has no secrets');
    writeFileSync(wrong, 'short');
    expect(() => readFileKey(wrong)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }));
  });

  test('where a row names a business, or is of a table that does not move', async () => {
    const withRow = (row: string) => forge((lines) => [...unsealed(lines).slice(0, -1), row, lines.at(-1)!]);
    const position = linesIn(readFileSync(file)).find((line) => line.startsWith('{"positions":'))!;
    const foreign = position.replace('{"positions":{', `{"positions":{"business_id":2,`);
    expect(await refusal(withRow(foreign), null)).toContain(
      'a row of positions does not have the columns of its table',
    );
    expect(await refusal(withRow(position.replace('"title"', '"business_id"')), null)).toContain(
      'does not have the columns',
    );
    for (const line of [
      '{"tz_state":{"id":1}}',
      '{"personal_tokens":{}}',
      '{"positions":[]}',
      '{"users":{},"x":{}}',
      '[]',
    ])
      expect(await refusal(withRow(line), null)).toMatch(
        /is no row of a business|is not JSON|does not have the columns/,
      );
  });

  test('where rows contradict each other', async () => {
    const shift = (lines: string[]) => lines.findIndex((line) => line.startsWith('{"work_shifts":'));
    const lines = linesIn(readFileSync(await exportFrom(source, businessId(), null)));
    const forgePlain = (change: (all: string[]) => string[], by: Record<string, number>) =>
      forgedFile([...change(lines.slice(0, -1)), lines.at(-1)!], by);
    const twice = forgePlain((all) => all.toSpliced(shift(all), 0, all[shift(all)]!), { work_shifts: 1 });
    expect(await refusal(twice, null)).toContain('Nothing is changed.');
    const lost = forgePlain((all) => all.filter((line) => !line.startsWith('{"events":')), { events: -5 });
    expect(await refusal(lost, null)).toContain('Nothing is changed.');
    const nobody = forgePlain((all) => all.filter((line) => !line.startsWith('{"businesses":')), { businesses: -1 });
    expect(await refusal(nobody, null)).toContain('Nothing is changed.');
  });

  test('where it decompresses to far more than a row', async () => {
    const bomb = newFile();
    writeFileSync(bomb, gzipSync(Buffer.alloc(200_000_000, 0x20)));
    expect(statSync(bomb).size).toBeLessThan(300_000);
    expect(await refusal(bomb)).toContain('a line of it is longer than a row can be');
  });
});
