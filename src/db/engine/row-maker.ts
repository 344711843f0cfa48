import pg from 'pg';
import { limits } from '../../config/limits.ts';
import type { Column, MakeRow } from './connection.ts';

type Parser = (cell: string) => unknown;

const { builtins } = pg.types;

/** Texts of these types are values already. */
const texts: ReadonlySet<number> = new Set([builtins.TEXT, builtins.VARCHAR, builtins.UUID]);

const makers = new Map<string, (parsers: readonly Parser[]) => MakeRow>();

/**
 * Compiles a function that makes the rows of a statement: an object literal, instead of a copy of an empty object and an assignment
 * by name for each cell. Null if a column is not sent as text, or two of them have the same name.
 * Performance notes: src/guide/performance.md#rows-by-a-compiled-function
 */
export function compileRowMaker(columns: readonly Column[], parsers: readonly Parser[]): MakeRow | null {
  if (columns.some(({ format }) => format !== 'text') || new Set(columns.map(({ name }) => name)).size < columns.length)
    return null;
  const cells = columns.map(({ name, dataTypeID }, index) => {
    const cell = `cells[${index}]`;
    const value = texts.has(dataTypeID) ? cell : `${cell} === null ? null : parse${index}(${cell})`;
    return `[${JSON.stringify(name)}]: ${value}`;
  });
  const source = `const [${columns.map((_, index) => `parse${index}`).join(', ')}] = parsers;
    return (cells) => ({ ${cells.join(', ')} });`;
  let maker = makers.get(source);
  if (!maker) {
    if (makers.size >= 4 * limits.preparedStatements) makers.clear();
    // The source has column names as JSON only, and they come from the statements of this program.
    // oxlint-disable-next-line typescript/no-implied-eval
    maker = new Function('parsers', source) as (parsers: readonly Parser[]) => MakeRow;
    makers.set(source, maker);
  }
  return maker(parsers);
}
