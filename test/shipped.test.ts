import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parseSync, Visitor, type ESTree } from 'rolldown/utils';

/*
 * The bundler removes what it takes for code without effects, among it calls of some globals that throw. So no source may call a
 * global for its errors alone, and nothing that was removed may have left an empty `if` in dist/.
 */

const filesIn = (folder: string, pattern: RegExp) =>
  readdirSync(new URL(`../${folder}/`, import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((path) => pattern.test(path))
    .map((path) => ({ path, text: readFileSync(new URL(`../${folder}/${path}`, import.meta.url), 'utf8') }));

const globals = new Set(Object.getOwnPropertyNames(globalThis));

/** Globals that are called for what they do. */
const withEffects =
  /^(?:(?:clear|set)(?:Timeout|Interval|Immediate)|queueMicrotask|fetch|Promise|console|process|performance|globalThis)\b|^(?:Object\.assign|Reflect\.defineMetadata)$/;

/** Name of the global that a dropped expression calls, such as `JSON.parse`. */
function droppedGlobals(expression: ESTree.Expression): string[] {
  switch (expression.type) {
    case 'SequenceExpression':
      return expression.expressions.flatMap(droppedGlobals);
    case 'LogicalExpression':
      return droppedGlobals(expression.right);
    case 'ConditionalExpression':
      return [expression.consequent, expression.alternate].flatMap(droppedGlobals);
    case 'ParenthesizedExpression':
    case 'ChainExpression':
      return droppedGlobals(expression.expression);
    case 'AwaitExpression':
      return droppedGlobals(expression.argument);
    case 'CallExpression':
    case 'NewExpression': {
      const name = nameOf(expression.callee);
      return globals.has(name.split('.')[0] ?? '') && !withEffects.test(name) ? [name] : [];
    }
    default:
      return [];
  }
}

function nameOf(callee: ESTree.Expression): string {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type !== 'MemberExpression') return '';
  return `${nameOf(callee.object)}.${callee.property.type === 'Identifier' ? callee.property.name : ''}`;
}

/** Calls of globals whose value nobody reads: statements, and operands of `void`. */
function findDropped(path: string, text: string): string[] {
  const found: string[] = [];
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  new Visitor({
    ExpressionStatement: ({ expression }) => void found.push(...droppedGlobals(expression)),
    UnaryExpression: ({ operator, argument }) => {
      if (operator === 'void') found.push(...droppedGlobals(argument));
    },
  }).visit(program);
  return found;
}

function findEmptyIfs(path: string, text: string): string[] {
  const found: string[] = [];
  new Visitor({
    IfStatement: ({ start, consequent, alternate }) => {
      const isEmpty =
        consequent.type === 'EmptyStatement' || (consequent.type === 'BlockStatement' && consequent.body.length === 0);
      if (isEmpty && !alternate) found.push(`${path}: ${text.slice(start, start + 100)}`);
    },
  }).visit(parseSync(path, text).program);
  return found;
}

test('no source calls a global for its errors alone', () => {
  const sources = filesIn('src', /^(?!generated\/).*\.(?:tsx?|mjs)$/);
  expect(sources.flatMap(({ path, text }) => findDropped(path, text).map((name) => `${path}: ${name}`))).toEqual([]);
});

test('the built service has no if that does nothing', () => {
  const built = filesIn('dist', /^(?!pages\/).*\.js$/);
  expect(built.map(({ path }) => path)).toContain('main.js');
  expect(built.flatMap(({ path, text }) => findEmptyIfs(path, text))).toEqual([]);
});

describe('what is found', () => {
  test.each([
    ['if (x) decodeURIComponent(x);', ['decodeURIComponent']],
    ['x && JSON.parse(x);', ['JSON.parse']],
    ['try { new URL(x), y ? BigInt(x) : z(); } catch {}', ['URL', 'BigInt']],
    ['const check = (x) => void new Intl.Locale(x);', ['Intl.Locale']],
    ['const y = decodeURIComponent(x); setTimeout(() => y, 1); void Promise.all([]);', []],
  ])('%s', (text, names) => {
    expect(findDropped('x.ts', text)).toEqual(names);
  });

  test('an if whose body is empty', () => {
    expect(findEmptyIfs('x.js', 'if (a); else b(); if (a) {} if (a); if (a) b();')).toHaveLength(2);
  });
});
