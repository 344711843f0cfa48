import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { printSchema } from 'graphql';
import { pino } from 'pino';
import { format, resolveConfig } from 'prettier';
import { registeredOperations } from '../access/operation-record.ts';
import { buildApp } from '../app.ts';
import { loadConfig } from '../config/config.ts';
import { settings } from '../config/settings.ts';
import { createSchema } from '../nouns.ts';
import { packageRoot } from '../places.ts';
import type { Examples } from '../rest/examples.ts';
import { apolloSettings, graphcacheSettings } from './client-settings.ts';
import { recordExamples } from './examples/record.ts';
import { permissionTable } from './permission-table.ts';
import { grantsOfConsole, printedGrants } from './printed-grants.ts';

/* `npm run generate` writes the generated files; with --check it only reports the outdated ones. */

const pathOf = (name: string) => fileURLToPath(new URL(name, packageRoot));

async function openApiDocument(examples: Examples): Promise<string> {
  // Uses a PostgreSQL address because no connection is made before the first query.
  const config = loadConfig({ DATABASE_URL: 'postgresql://127.0.0.1/none', JWT_SECRETS: `print:${'-'.repeat(32)}` });
  const app = await buildApp(config, { log: pino({ level: 'silent' }), examples });
  const document = app.http.swagger();
  await app.close();
  return `${JSON.stringify(document, null, 2)}\n`;
}

function settingsTable(): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const unit = 'unit' in setting ? setting.unit : '';
    const initial = setting.default === '' ? '' : `\`${setting.default}\``;
    return `| \`${name}\` | ${setting.type} | ${initial} | ${unit} | ${setting.meaning} |`;
  });
  return ['| setting | type | default | unit | meaning |', '|---|---|---|---|---|', ...rows].join('\n');
}

function operatorsGuide(): string {
  const [before, , after] = readPage('src/guide/operators.md').split(/<!-- (?:end )?settings -->/);
  return `${before}<!-- settings -->\n<!-- prettier-ignore-start -->\n\n${settingsTable()}\n\n<!-- prettier-ignore-end -->\n<!-- end settings -->${after}`;
}

async function formatTypeScript(code: string): Promise<string> {
  return format(code, { ...(await resolveConfig(pathOf('package.json'))), parser: 'typescript' });
}

const schema = createSchema();
const modules = {
  'test/clients/settings/apollo.ts': await formatTypeScript(apolloSettings(schema)),
  'test/clients/settings/graphcache.ts': await formatTypeScript(graphcacheSettings(schema)),
};

/** A page with what scopes, roles and screens may do, printed between its marks. */
function withGrants(text: string): string {
  return Object.entries(printedGrants(registeredOperations())).reduce(
    (page, [mark, printed]) =>
      page.replaceAll(
        new RegExp(`<!-- ${mark} -->[^]*?<!-- end ${mark} -->`, 'g'),
        [`<!-- ${mark} -->`, printed, `<!-- end ${mark} -->`].join(printed.includes('\n') ? '\n\n' : ' '),
      ),
    text,
  );
}

const readPage = (path: string): string => withGrants(readFileSync(pathOf(path), 'utf8'));

/** The guide shows whole modules of the programs in `test/clients`, and their settings, so that what it shows is what they run. */
function dashboardsGuide(): string {
  const marked = /<!-- module (\S+) -->[^]*?<!-- end module -->/g;
  return readPage('src/guide/dashboards.md').replaceAll(marked, (_, name: string) => {
    const code = (modules as Record<string, string>)[name] ?? readFileSync(pathOf(name), 'utf8');
    return `<!-- module ${name} -->\n\n\`\`\`${name.split('.').at(-1)}\n${code}\`\`\`\n\n<!-- end module -->`;
  });
}

const pagesWithGrants = ['src/guide/integrators.md', '.github/SECURITY.md', '.github/GLOSSARY.md'];

const examplesFile = 'src/rest/examples.json';
const { examples, refused } = await recordExamples(JSON.parse(readFileSync(pathOf(examplesFile), 'utf8')) as Examples);
for (const line of refused) process.stderr.write(`No example for ${line}\n`);
// The contracts are printed all the same.
if (refused.length > 0) process.exitCode = 1;

const printed = {
  [examplesFile]: `${JSON.stringify(examples, null, 2)}\n`,
  'schema.graphql': `${printSchema(schema)}\n`,
  ...modules,
  'src/guide/dashboards.md': dashboardsGuide(),
  'test/openapi.snapshot.json': await openApiDocument(examples),
  'src/guide/operators.md': operatorsGuide(),
  ...Object.fromEntries(pagesWithGrants.map((path) => [path, readPage(path)])),
  'src/pages/console/messages/grants.ts': await formatTypeScript(grantsOfConsole()),
  'src/access/permissions.md': permissionTable(registeredOperations()),
};

const isCheck = process.argv.includes('--check');
for (const [name, content] of Object.entries(printed)) {
  let present = '';
  try {
    present = readFileSync(pathOf(name), 'utf8');
  } catch {
    // A missing file counts as outdated.
  }
  if (present === content) continue;
  if (isCheck) {
    const [lines, presentLines] = [content.split('\n'), present.split('\n')];
    // The last line of all files is empty, so one that only goes on differs there.
    const first = lines.findIndex((line, index) => line !== presentLines[index]);
    process.stderr.write(`${name} is outdated from line ${first + 1}: run npm run generate. New:\n${lines[first]}\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(pathOf(name), content);
    process.stdout.write(`wrote ${name}\n`);
  }
}
