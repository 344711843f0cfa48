import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';

/** A code block of a document that is marked to be run, and the block that shows what it prints. */
export interface Example {
  /** Title in a test: the heading above the example, and its place below that heading. */
  readonly title: string;
  /** A command for bash. */
  readonly script: string;
  readonly answer: { readonly language: string; readonly text: string } | null;
}

/** Address of the service as the documents write it. */
const shownOrigin = 'http://127.0.0.1:4000';

/** Sends a query as a document shows it, as whoever a command above it has logged in. */
const graphqlScript = (query: string): string => `curl -s ${shownOrigin}/graphql -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' --data-binary @- <<'CALLBOARD_QUERY'
${JSON.stringify({ query })}
CALLBOARD_QUERY
`;

const logIn = `TOKEN=$(curl -s ${shownOrigin}/v1/auth/login -H 'Content-Type: application/json' \\
  -d '{"email": "admin@aurora.example", "password": "callboard-demo"}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
`;

/** The marked examples of a document, in order. `path` is relative to the root of the repository. */
export async function readExamples(path: string): Promise<Example[]> {
  const text = await readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
  const examples: Example[] = [];
  let heading = '';
  for (const [, title, language = '', mark, code = ''] of text.matchAll(/^#+ (.*)$|^```(\w+) ?(.*)\n([^]*?)^```$/gm)) {
    const last = examples.at(-1);
    if (title !== undefined) heading = title;
    else if (mark === 'run')
      examples.push({
        title: `${heading}, ${examples.filter((example) => example.title.startsWith(`${heading},`)).length + 1}`,
        script: language === 'graphql' ? graphqlScript(code) : code,
        answer: null,
      });
    else if (mark === 'answer' && last?.answer === null)
      examples[examples.length - 1] = { ...last, answer: { language, text: code } };
    else if (mark === 'answer') throw new Error(`${path}: an answer under "${heading}" follows no example.`);
  }
  return examples;
}

const separator = '--- next example ---';

/** Runs the examples of a document in one shell, which is logged in as the demo's admin, and gives what each of them prints. */
export async function runExamples(examples: readonly Example[], origin: string, cwd: string): Promise<string[]> {
  const scripts = examples.map(({ script }) => script).join(`\necho; echo '${separator}'\n`);
  const script = `${logIn}${scripts}`.replaceAll(shownOrigin, origin);
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd });
  // CSV has its own line breaks.
  return stdout
    .replaceAll('\r\n', '\n')
    .split(`${separator}\n`)
    .map((output) => output.trim());
}

/** Fails where an example prints something else than its document shows. */
export function expectShown(printed: string, { language, text }: NonNullable<Example['answer']>): void {
  if (language === 'json') expect(JSON.parse(printed)).toEqual(patternOf(JSON.parse(text)));
  else expect(printed).toMatch(textPattern(text.trim()));
}

const any = '…';

/** Objects may hold more fields than shown, lists that end with "…" more items, and a text with … stands for many. */
function patternOf(shown: unknown): unknown {
  if (shown === any) return expect.anything();
  if (typeof shown === 'string') return shown.includes(any) ? expect.stringMatching(textPattern(shown)) : shown;
  if (Array.isArray(shown))
    return shown.at(-1) === any ? expect.arrayContaining(shown.slice(0, -1).map(patternOf)) : shown.map(patternOf);
  if (typeof shown !== 'object' || shown === null) return shown;
  const fields = Object.entries(shown).map(([name, value]) => [name, patternOf(value)]);
  return expect.objectContaining(Object.fromEntries(fields));
}

const textPattern = (text: string): RegExp => new RegExp(`^${text.split(any).map(escapeForPattern).join('[^]*')}$`);

const escapeForPattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
