import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exampleScreen } from '../../src/bin/examples/scene.ts';

/*
 * Makes a Bruno collection of the OpenAPI document: one request for each operation, with its recorded example.
 * tsx test/openapi/bruno-collection.ts openapi.json folder
 */

interface Media {
  readonly example?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[];
  /** E-mail of the demo user who sends the example, if it is not the one who logs in first. */
  readonly 'x-example-caller'?: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, object>>;
}

interface Document {
  readonly info: { readonly title: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Request extends Operation {
  readonly method: string;
  readonly path: string;
}

interface Folder {
  readonly name: string;
  readonly requests: readonly Request[];
}

const logInPath = '/v1/auth/login';
const deletions = 'Deletions';

/** The folders in the order in which they can be run: a folder for each tag, then all that deletes or revokes. */
function foldersOf({ paths }: Document): Folder[] {
  const requests = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      // A stream has no end.
      .filter(() => !path.endsWith('/stream'))
      .map(([method, operation]): Request => ({ ...operation, method, path })),
  );
  const tags = [...new Set(requests.flatMap((request) => request.tags))];
  const logIn = requests.filter(({ path }) => path === logInPath);
  const isRead = ({ method }: Request) => method === 'get';
  const ofCredential = ({ path }: Request) => path.includes('/personal');
  // A new password ends log-ins, too.
  const isDeletion = (request: Request) =>
    request.method === 'delete' ||
    (request.method === 'put' && ofCredential(request)) ||
    request.path.endsWith('/passwords/forgotten/claims');
  const callers = [...new Set(requests.flatMap(({ 'x-example-caller': caller }) => caller ?? []))].filter(
    (caller) => caller !== exampleScreen.caller,
  );
  const ofTags = tags.map((name) => {
    const own = requests.filter((request) => request.tags.includes(name) && !isDeletion(request));
    const others = own.filter(({ path }) => path !== logInPath);
    return {
      name,
      requests: [
        ...own
          .filter(({ path }) => path === logInPath)
          .flatMap((each) => [each, ...callers.map((caller) => logInAs(each, caller))]),
        ...others.filter(isRead),
        ...others.filter((request) => !isRead(request)),
      ],
    };
  });
  const deleting = requests.filter(isDeletion);
  const ofCredentials = deleting.filter(ofCredential).toSorted((a, b) => a.method.localeCompare(b.method));
  const again = (index: number) =>
    logIn.map((request) => ({ ...request, operationId: `${request.operationId}.again${index}` }));
  return [
    ...ofTags.filter((folder) => folder.requests.length > 0),
    {
      name: deletions,
      requests: [
        // One row first, then all rows at once; the credential itself at the end, each with a log-in of its own.
        ...deleting.filter((request) => !ofCredential(request) && request.path.includes('{')),
        ...deleting.filter((request) => !ofCredential(request) && !request.path.includes('{')),
        ...ofCredentials.flatMap((request, index) => (index === 0 ? [request] : [...again(index), request])),
      ],
    },
  ];
}

/** The log-in of the collection, as another user. */
function logInAs(logIn: Request, email: string): Request {
  const example = { ...(logIn.requestBody?.content['application/json']?.example as object), email };
  return {
    ...logIn,
    operationId: `${logIn.operationId}.${nameOf(email)}`,
    'x-example-caller': email,
    requestBody: { content: { 'application/json': { example } } },
  };
}

const nameOf = (email: string) => email.split('@')[0];
const variableOf = (email: string | undefined) => (email === undefined ? 'token' : `token_${nameOf(email)}`);
/** A screen does not log in. */
const tokenOf = (caller: string | undefined) =>
  caller === exampleScreen.caller ? exampleScreen.boardToken : `{{${variableOf(caller)}}}`;

const block = (name: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `${name} {\n${lines.map((line) => `  ${line}`).join('\n')}\n}\n\n`;

function writeRequest(request: Request, seq: number): string {
  const { method, path, summary, security, parameters = [], requestBody, responses } = request;
  const body = requestBody?.content['application/json']?.example;
  const isPublic = security.length === 0;
  const named = parameters.filter((parameter) => parameter.in === 'path');
  const asked = parameters.filter((parameter) => parameter.in === 'query' && parameter.example !== undefined);
  const search = asked.map(({ name, example }) => `${name}=${String(example)}`).join('&');
  const token = tokenOf(request['x-example-caller']);
  const statuses = Object.keys(responses).filter((each) => each.startsWith('2'));
  return [
    block('meta', [`name: ${summary}`, 'type: http', `seq: ${seq}`]),
    block(method, [
      `url: {{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}${search && `?${search}`}`,
      `body: ${body === undefined ? 'none' : 'json'}`,
      `auth: ${isPublic ? 'none' : 'bearer'}`,
    ]),
    block(
      'params:path',
      named.map(({ name, example }) => `${name}: ${String(example)}`),
    ),
    block(
      'params:query',
      asked.map(({ name, example }) => `${name}: ${String(example)}`),
    ),
    block('headers', ['accept: application/json']),
    isPublic ? '' : block('auth:bearer', [`token: ${token}`]),
    body === undefined ? '' : block('body:json', JSON.stringify(body, null, 2).split('\n')),
    block('assert', [`res.status: in ${statuses.join(', ')}`]),
    path === logInPath
      ? block('script:post-response', [
          `bru.setVar("${variableOf(request['x-example-caller'])}", res.getBody().data.access_token);`,
        ])
      : '',
  ].join('');
}

/** Writes the collection into a folder, which it empties before. Returns the number of requests. */
export async function writeBrunoCollection(document: unknown, folder: string): Promise<number> {
  const folders = foldersOf(document as Document);
  const { title } = (document as Document).info;
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'environments'), { recursive: true });
  const manifest = { version: '1', name: title, type: 'collection', ignore: ['node_modules', '.git'] };
  await writeFile(join(folder, 'bruno.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(join(folder, 'environments/local.bru'), block('vars', ['baseUrl: http://127.0.0.1:4000']));
  for (const [index, { name, requests }] of folders.entries()) {
    const path = join(folder, name);
    await mkdir(path);
    await writeFile(join(path, 'folder.bru'), block('meta', [`name: ${name}`, `seq: ${index + 1}`]));
    for (const [at, request] of requests.entries())
      await writeFile(join(path, `${request.operationId}.bru`), writeRequest(request, at + 1));
  }
  return folders.reduce((sum, { requests }) => sum + requests.length, 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [source = 'test/openapi.snapshot.json', folder = 'bruno'] = process.argv.slice(2);
  const count = await writeBrunoCollection(JSON.parse(await readFile(source, 'utf8')), resolve(folder));
  process.stdout.write(`wrote ${count} requests to ${folder}\n`);
}
