import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Temporal } from 'temporal-polyfill';

/** A folder of time zone data as a system has it: each zone follows one TZ rule of POSIX. Returns its path. */
export function writeTzFolder(version: string, zones: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-tz-'));
  for (const [name, rule] of Object.entries(zones)) writeZone(folder, name, tzFile({ footer: rule }));
  const lines = Object.keys(zones).map((name) => `Z ${name} 0 - -00`);
  writeFileSync(join(folder, 'tzdata.zi'), [`# version ${version}`, ...lines, ''].join('\n'));
  return folder;
}

export function writeZone(folder: string, name: string, file: Buffer): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), file);
}

interface TzFile {
  readonly version?: 1 | 2 | 3;
  /** Offset before the first change. */
  readonly initial?: number;
  /** Instants and offsets, in seconds. */
  readonly changes?: readonly (readonly [at: number, offset: number])[];
  readonly footer?: string;
  readonly leaps?: number;
}

/** Writes a TZif file, without the parts that no reader needs. */
export function tzFile({ version = 2, initial = 0, changes = [], footer = '', leaps = 0 }: TzFile): Buffer {
  const offsets = [...new Set([initial, ...changes.map(([, offset]) => offset)])];
  const header = Buffer.alloc(44);
  header.write(`TZif${version === 1 ? '\0' : version}`, 'latin1');
  header.writeUInt32BE(leaps, 28);
  header.writeUInt32BE(changes.length, 32);
  header.writeUInt32BE(offsets.length, 36);
  header.writeUInt32BE(4, 40);
  const block = (bytes: 4 | 8) => {
    const times = Buffer.alloc(changes.length * bytes);
    for (const [index, [at]] of changes.entries())
      if (bytes === 8) times.writeBigInt64BE(BigInt(at), index * bytes);
      else times.writeInt32BE(at, index * bytes);
    const types = Buffer.alloc(offsets.length * 6);
    for (const [index, offset] of offsets.entries()) types.writeInt32BE(offset, index * 6);
    const indices = Buffer.from(changes.map(([, offset]) => offsets.indexOf(offset)));
    return Buffer.concat([times, indices, types, Buffer.from('ABC\0'), Buffer.alloc(leaps * (bytes + 4))]);
  };
  if (version === 1) return Buffer.concat([header, block(4)]);
  return Buffer.concat([header, block(4), header, block(8), Buffer.from(`\n${footer}\n`)]);
}

/** The changes of a zone within years as the polyfill of Temporal reads them from the runtime. */
export function temporalChanges(zone: string, fromYear: number, toYear: number): [number, number][] {
  const start = Temporal.Instant.from(`${fromYear}-01-01T00:00:00Z`).subtract({ seconds: 1 });
  const endMs = Date.UTC(toYear + 1, 0, 1);
  const found: [number, number][] = [];
  for (
    let next = start.toZonedDateTimeISO(zone).getTimeZoneTransition('next');
    next && next.epochMilliseconds < endMs;
    next = next.getTimeZoneTransition('next')
  )
    found.push([next.epochMilliseconds / 1000, next.offsetNanoseconds / 1e9]);
  return found;
}
