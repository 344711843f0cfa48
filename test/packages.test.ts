import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/* Packages are used by their documented interfaces: nothing replaces, subclasses or opens a part of one. */

const folder = new URL('../src/', import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(ts|mjs)$/.test(path) && !/^(generated|pages)\//.test(path))
  .map((path) => {
    const text = readFileSync(new URL(path, folder), 'utf8');
    return { path, code: text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''), packages: namesFromPackages(text) };
  });

/** Names that a file imports from packages, Node's own modules left out. */
function namesFromPackages(text: string): string[] {
  const imports = text.matchAll(/^import (?!type )([^;]*?) from '(?!\.|node:)[^']+';/gm);
  return [...imports].flatMap(([, names = '']) => names.match(/\b(?!as\b|type\b)\w+/g) ?? []);
}

/** Lines of all files in which a pattern occurs. The pattern may depend on what the file imports. */
function linesWith(patternFor: (packages: readonly string[]) => RegExp | null): string[] {
  return files.flatMap(({ path, code, packages }) => {
    const pattern = patternFor(packages);
    return pattern === null
      ? []
      : code.split('\n').flatMap((line) => (pattern.test(line) ? [`${path}: ${line.trim()}`] : []));
  });
}

const anyOf = (names: readonly string[], pattern: (names: string) => string): RegExp | null =>
  names.length === 0 ? null : new RegExp(pattern(`(?:${names.join('|')})`));

test('no code is compiled from text, and no garbage collection is forced', () => {
  expect(linesWith(() => /\bnew Function\b|\beval\(|from 'node:vm'|expose-gc/)).toEqual([]);
});

test('no package is imported by a path of its inner files', () => {
  expect(linesWith(() => /from '(?!\.|node:)[^']*\/(?:dist|lib|src|build)\//)).toEqual([]);
  expect(linesWith(() => /from 'pg-(?:protocol|pool)/)).toEqual([]);
});

test('no class extends one of a package', () => {
  expect(linesWith((names) => anyOf(names, (any) => `\\bclass\\b.* extends \\(?${any}\\b`))).toEqual([]);
});

test('no prototype of a package is touched, and no method of one is assigned', () => {
  expect(linesWith((names) => anyOf(names, (any) => `\\b${any}(?:\\.\\w+)*\\.prototype\\b`))).toEqual([]);
  expect(linesWith(() => objectsOfPackages)).toEqual([]);
  // A function that becomes a member of something else than our own `this`; Fastify has members of requests declared.
  expect(
    linesWith(
      () =>
        /^\s*(?!this\.|request\.|key\.)[a-z]\w*(?:\.\w+)+ = (?:async )?(?:function\b|\([^()]*\)(?:: [^=]+)? =>|\w+ =>)/,
    ),
  ).toEqual([]);
});

/** Usual names of objects that packages made: what changes one of them would be a method that is replaced. */
const objectsOfPackages =
  /\b(?:Object\.(?:assign|definePropert\w+|setPrototypeOf)|Reflect\.(?:set|defineProperty)|new Proxy)\((?:this|pool|client|connection|adapter|transaction|factory|pglite|app|request|reply)\b/;

test('no private field of another object is read, and no part of one that its type does not show', () => {
  // `_count` and `_max` are names of Prisma's interface.
  expect(linesWith(() => /\._(?!count\b|max\b)[a-zA-Z]/)).toEqual([]);
  expect(linesWith(() => /\bas unknown as \{/)).toEqual([]);
});
