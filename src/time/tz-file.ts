import { parsePosix, yearlyRules } from './tz-posix.ts';
import { afterLast, isOffset, tableRules, withoutRepeats, type OffsetChange, type ZoneRules } from './tz-rules.ts';
import { findYearlyRule } from './tz-yearly.ts';

const headerBytes = 44;
/** Far more than any zone has; a file with larger counts is broken. */
const countMax = 20_000;

/**
 * Reads a TZif file (RFC 9636) of version 1 to 4: the changes of the offset and, from version 2 on, the rule that follows
 * them. Version 1 ends in 2037 and has no such rule, so it is found from the last years. Throws an error that says what is
 * wrong with the file. Files that count leap seconds (`right/`) are refused.
 */
export function readTzFile(file: Buffer): ZoneRules {
  const first = readHeader(file, 0);
  if (first.version === 1) {
    const { initial, changes } = readBlock(file, headerBytes, first, 4);
    const rule = findYearlyRule(initial, changes);
    return tableRules({ initial, changes, later: rule && yearlyRules(rule), laterFrom: afterLast(changes) });
  }
  const secondAt = headerBytes + blockBytes(first, 4);
  const second = readHeader(file, secondAt);
  const blockAt = secondAt + headerBytes;
  const { initial, changes } = readBlock(file, blockAt, second, 8);
  const footer = readFooter(file, blockAt + blockBytes(second, 8));
  const later = footer === '' ? null : yearlyRules(parsePosix(footer));
  return tableRules({ initial, changes, later, laterFrom: afterLast(changes) });
}

interface Header {
  readonly version: number;
  readonly counts: Record<'isUtc' | 'isStandard' | 'leaps' | 'changes' | 'types' | 'chars', number>;
}

function readHeader(file: Buffer, at: number): Header {
  if (file.length < at + headerBytes || file.toString('latin1', at, at + 4) !== 'TZif')
    throw new Error('not a TZif file');
  const byte = file[at + 4] ?? 0;
  const version = byte === 0 ? 1 : byte - 0x30;
  if (version < 1 || version > 4) throw new Error('a TZif file of an unknown version');
  const count = (index: number) => file.readUInt32BE(at + 20 + 4 * index);
  const counts = {
    isUtc: count(0),
    isStandard: count(1),
    leaps: count(2),
    changes: count(3),
    types: count(4),
    chars: count(5),
  };
  if (Object.values(counts).some((each) => each > countMax)) throw new Error('a TZif file with senseless counts');
  if (counts.leaps > 0) throw new Error('a TZif file that counts leap seconds');
  return { version, counts };
}

const blockBytes = ({ counts }: Header, timeBytes: number): number =>
  counts.changes * (timeBytes + 1) +
  counts.types * 6 +
  counts.chars +
  counts.leaps * (timeBytes + 4) +
  counts.isStandard +
  counts.isUtc;

function readBlock(file: Buffer, at: number, header: Header, timeBytes: 4 | 8) {
  const { counts } = header;
  if (file.length < at + blockBytes(header, timeBytes)) throw new Error('a TZif file that is cut off');
  const indicesAt = at + counts.changes * timeBytes;
  const typesAt = indicesAt + counts.changes;
  const offsetOf = (type: number): number => {
    if (type >= counts.types) throw new Error('a TZif file that names a type which it lacks');
    const offset = file.readInt32BE(typesAt + 6 * type);
    if (!isOffset(offset)) throw new Error('a TZif file with a senseless offset');
    return offset;
  };
  const initial = offsetOf(0);
  const changes = Array.from({ length: counts.changes }, (_, index): OffsetChange => {
    const timeAt = at + index * timeBytes;
    const seconds = timeBytes === 8 ? Number(file.readBigInt64BE(timeAt)) : file.readInt32BE(timeAt);
    return { at: seconds, offset: offsetOf(file[indicesAt + index] ?? 0) };
  });
  if (changes.some((change, index) => index > 0 && change.at <= changes[index - 1]!.at))
    throw new Error('a TZif file whose changes are out of order');
  return { initial, changes: withoutRepeats(initial, changes) };
}

/** Reads the line between the two line breaks behind the second block; '' means that no rule follows. */
function readFooter(file: Buffer, at: number): string {
  const end = file.indexOf(0x0a, at + 1);
  if (file[at] !== 0x0a || end === -1) throw new Error('a TZif file without its last line');
  return file.toString('latin1', at + 1, end);
}
