import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { printSchema } from 'graphql';
import { pino } from 'pino';
import { buildApp } from '../app.ts';
import { loadConfig } from '../config/config.ts';
import { settings } from '../config/settings.ts';
import { createSchema } from '../graphql/schema.ts';

/* `npm run generate`: writes what is printed from code; with --check it only says what is no longer fresh. */

const pathOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

async function openApiDocument(): Promise<string> {
  // PostgreSQL is named because it is not connected to before the first query.
  const config = loadConfig({ DATABASE_URL: 'postgresql://127.0.0.1/none', JWT_SECRETS: `print:${'-'.repeat(32)}` });
  const app = await buildApp(config, { log: pino({ level: 'silent' }) });
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
  const [before, , after] = readFileSync(pathOf('src/guide/operators.md'), 'utf8').split(/<!-- (?:end )?settings -->/);
  return `${before}<!-- settings -->\n<!-- prettier-ignore-start -->\n\n${settingsTable()}\n\n<!-- prettier-ignore-end -->\n<!-- end settings -->${after}`;
}

const printed = {
  'schema.graphql': `${printSchema(createSchema())}\n`,
  'test/openapi.snapshot.json': await openApiDocument(),
  'src/guide/operators.md': operatorsGuide(),
};

const isCheck = process.argv.includes('--check');
for (const [name, content] of Object.entries(printed)) {
  let present = '';
  try {
    present = readFileSync(pathOf(name), 'utf8');
  } catch {
    // Not there yet: not fresh.
  }
  if (present === content) continue;
  if (isCheck) {
    process.stderr.write(`${name} is not fresh: npm run generate\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(pathOf(name), content);
    process.stdout.write(`wrote ${name}\n`);
  }
}
