import { createRequire } from 'node:module';

/* Changes of the contracts that break a client, each with the name by which the changelog has to mention it. */

export interface Break {
  /** `Type.field`, `Type.field.argument`, `METHOD /path`, `METHOD /path field`, `METHOD /path ?parameter` or `errors field`. */
  readonly name: string;
  readonly message: string;
}

/** The packages of this folder, which `npm run tools` installs. Both are used as CommonJS, so that they share graphql-js. */
const require = createRequire(new URL('package.json', import.meta.url));

interface GraphqlTools {
  readonly buildSchema: (source: string) => unknown;
}

interface GraphqlInspector {
  readonly diff: (
    before: unknown,
    after: unknown,
  ) => Promise<{ path?: string; message: string; criticality: { level: string } }[]>;
}

export async function findGraphqlBreaks(before: string, after: string): Promise<Break[]> {
  const { buildSchema } = require('graphql') as GraphqlTools;
  const { diff } = require('@graphql-inspector/core') as GraphqlInspector;
  const changes = await diff(buildSchema(before), buildSchema(after));
  return changes
    .filter(({ criticality }) => criticality.level === 'BREAKING')
    .map(({ path = 'schema', message }) => ({ name: path, message }));
}

interface RestChange {
  readonly type: string;
  readonly action: string;
  readonly path: readonly (string | number)[];
  readonly before?: unknown;
  readonly after?: unknown;
}

interface ApiSmartDiff {
  readonly apiCompare: (before: unknown, after: unknown) => { diffs: RestChange[]; merged: unknown };
}

/** Compares the texts of two OpenAPI documents. What breaks several responses in the same way is one break. */
export function findRestBreaks(before: string, after: string): Break[] {
  const { apiCompare } = require('api-smart-diff') as ApiSmartDiff;
  const { diffs, merged } = apiCompare(readDocument(before), readDocument(after));
  const breaks = new Map<string, Break>();
  for (const change of diffs.filter(isBreak)) {
    const name = nameOf(change, merged);
    if (!breaks.has(name)) breaks.set(name, { name, message: describe(change) });
  }
  return [...breaks.values()];
}

/** The package takes media types with a parameter, such as `application/json; profile=full`, for removed. */
const readDocument = (text: string): unknown =>
  JSON.parse(text.replaceAll(/"([a-z]+\/[a-z.+-]+); ?([^"]+)":/g, '"$1+$2":'));

/**
 * Corrects the package where it errs: it takes any other type in a response for a narrower one, and a field that a request
 * may no longer have for ignored. It judges shared schemas without knowing who sends them, so only their uses count.
 */
function isBreak({ type, action, path, before, after }: RestChange): boolean {
  const [root, , , place] = path;
  if (root !== 'paths') return false;
  const isKeyword = path.at(-2) !== 'properties';
  if (place === 'responses' && isKeyword && path.at(-1) === 'type' && action === 'replace')
    return ![after].flat().every((each) => [before].flat().includes(each));
  if (place === 'requestBody' && !isKeyword && action === 'remove') return true;
  return type === 'breaking';
}

/** All error responses have the same body, so a change of it is named once for all operations. */
function nameOf({ path, before, after }: RestChange, merged: unknown): string {
  const [, route = '', method, ...inside] = path.map(String);
  const operation = method === undefined ? route : `${method.toUpperCase()} ${route}`;
  const [place, detail = ''] = inside;
  if (place === undefined) return operation;
  if (place === 'parameters') return `${operation} ?${parameterName(merged, path)}`;
  const fields = inside.flatMap((part, index) => (inside[index - 1] === 'properties' ? [part] : []));
  if (inside.at(-2) === 'required') fields.push(String(after ?? before));
  if (fields.length === 0) return `${operation} ${place}${place === 'responses' ? ` ${detail}` : ''}`;
  return `${place === 'responses' && /^[45]/.test(detail) ? 'errors' : operation} ${fields.join('.')}`;
}

function parameterName(document: unknown, path: RestChange['path']): string {
  const at = path.slice(0, 5).reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document);
  return (at as { name: string }).name;
}

function describe({ action, path, before, after }: RestChange): string {
  const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 80);
  const what = { add: `added ${shown(after)}`, remove: `removed ${shown(before)}` }[action];
  return `${what ?? `${shown(before)} became ${shown(after)}`} (${path.slice(3).join('/') || 'the operation'})`;
}

/**
 * The part of the changelog about the coming version, under the heading `Breaking`: all sections above the one of the last
 * release.
 */
export function breakingPart(changelog: string, lastVersion: string): string {
  const [coming, released] = changelog.split(`\n## [${lastVersion}]`);
  if (coming === undefined || released === undefined) throw new Error(`The changelog has no section [${lastVersion}].`);
  return coming
    .split(/^(?=###? )/m)
    .filter((section) => section.startsWith('### Breaking\n'))
    .join('');
}

/** The breaks whose names do not stand in the text between backticks. */
export const findUnnamed = (breaks: readonly Break[], text: string): Break[] =>
  breaks.filter(({ name }) => !text.includes(`\`${name}\``));
