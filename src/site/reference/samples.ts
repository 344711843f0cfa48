/* One request in several languages. All of them read its origin and its token from the environment. */

export interface SampleCall {
  readonly method: string;
  readonly path: string;
  readonly isPublic: boolean;
  readonly parameters: readonly { readonly name: string; readonly place: string; readonly value?: string }[];
  readonly body?: unknown;
  /** Media types of the answer. */
  readonly accepts: readonly string[];
}

export interface Sample {
  readonly language: string;
  readonly code: string;
}

export const listSamples = (call: SampleCall): [Sample, ...Sample[]] => [
  { language: 'curl', code: curl(call) },
  { language: 'JavaScript', code: javaScript(call) },
  { language: 'Python', code: python(call) },
];

function addressOf({ path, parameters }: SampleCall): string {
  const given = parameters.map(({ name, place, value = '' }) => ({ name, place, value: encodeURIComponent(value) }));
  const address = given
    .filter(({ place }) => place === 'path')
    .reduce((url, { name, value }) => url.replace(`{${name}}`, value), path);
  const query = given.filter(({ place, value }) => place === 'query' && value !== '');
  return address + query.map(({ name, value }, at) => `${at === 0 ? '?' : '&'}${name}=${value}`).join('');
}

const isJson = ({ accepts }: SampleCall): boolean => accepts[0] === 'application/json';

function curl(call: SampleCall): string {
  const { method, isPublic, body } = call;
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$ORIGIN${addressOf(call)}"`,
    ...(isPublic ? [] : [`-H "Authorization: Bearer $TOKEN"`]),
    ...(body === undefined
      ? []
      : [
          `-H 'Content-Type: application/json'`,
          `-d '${JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)}'`,
        ]),
  ].join(' \\\n  ');
}

function javaScript(call: SampleCall): string {
  const { method, isPublic, body } = call;
  const headers = [
    ...(isPublic ? [] : ['    Authorization: `Bearer ${TOKEN}`,']),
    ...(body === undefined ? [] : ["    'Content-Type': 'application/json',"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indent(JSON.stringify(body, null, 2), '  ')}),`]),
  ];
  const names = isPublic ? 'ORIGIN' : 'ORIGIN, TOKEN';
  const address = `\`\${ORIGIN}${addressOf(call)}\``;
  return [
    `const { ${names} } = process.env;`,
    options.length > 0
      ? `const response = await fetch(${address}, {\n${options.join('\n')}\n});`
      : `const response = await fetch(${address});`,
    `console.log(response.status, await response.${isJson(call) ? 'json' : 'text'}());`,
  ].join('\n');
}

function python(call: SampleCall): string {
  const { method, isPublic, body } = call;
  return [
    'import os',
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    os.environ["ORIGIN"] + ${JSON.stringify(addressOf(call))},`,
    ...(isPublic ? [] : ['    headers={"Authorization": "Bearer " + os.environ["TOKEN"]},']),
    ...(body === undefined ? [] : [`    json=${indent(pythonLiteral(body), '    ')},`]),
    ')',
    `print(response.status_code, response.${isJson(call) ? 'json()' : 'text'})`,
  ].join('\n');
}

const indent = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

/** JSON in Python's words. Only what stands outside of strings differs. */
function pythonLiteral(value: unknown): string {
  const words: Record<string, string> = { true: 'True', false: 'False', null: 'None' };
  return JSON.stringify(value, null, 4).replaceAll(
    /"(?:[^"\\]|\\.)*"|true|false|null/g,
    (token) => words[token] ?? token,
  );
}
