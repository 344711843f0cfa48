// Writes src/generated/pages: what the pages ask of the service, typed by the schema. Each folder with .graphql files gets a module
// with the texts of its operations; types.ts has their results and variables, and does not reach the browser.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codegen } from '@graphql-codegen/core';
import * as operations from '@graphql-codegen/typescript-operations';
import { buildASTSchema, Kind, parse, print, Source, stripIgnoredCharacters, validate, visit } from 'graphql';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = `${root}src/pages`;
const target = `${root}src/generated/pages`;

const documents = readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.graphql') && !path.startsWith('playground/examples/'))
  .sort()
  .map((location) => ({
    location,
    document: parse(new Source(readFileSync(`${here}/${location}`, 'utf8'), `src/pages/${location}`)),
  }));
const definitions = documents.flatMap(({ document }) => document.definitions);
const fragments = new Map(
  definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION).map((each) => [each.name.value, each]),
);
const published = parse(readFileSync(`${root}schema.graphql`, 'utf8'));
const schema = withoutNullOfErrors(published);

const faults = validate(buildASTSchema(published), { kind: Kind.DOCUMENT, definitions });
if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n\n')}\n`);
  process.exit(1);
}

rmSync(target, { recursive: true, force: true });
write(
  'types.ts',
  await codegen({
    filename: 'types.ts',
    schema,
    documents,
    plugins: [{ operations: {} }],
    pluginMap: { operations },
    config: {
      skipTypename: true,
      immutableTypes: true,
      useTypeImports: true,
      strictScalars: true,
      // As JSON carries them.
      scalars: {
        ID: 'string',
        DateTimeISO: 'string',
        LocalDate: 'string',
        Decimal: 'string',
        Currency: 'string',
        JSON: 'unknown',
        JSONObject: 'object',
      },
    },
  }),
);
for (const folder of new Set(documents.map(({ location }) => dirname(location))))
  write(`${folder}.ts`, printModule(folder));

/**
 * The pages use no data of an answer with an error. Without one, an object or a list is there, unless its description says when it is
 * null.
 */
function withoutNullOfErrors(document) {
  const objects = new Set(
    document.definitions.filter(({ kind }) => kind === Kind.OBJECT_TYPE_DEFINITION).map(({ name }) => name.value),
  );
  const isThere = ({ type, description }) =>
    (type.kind === Kind.LIST_TYPE || objects.has(type.name?.value)) &&
    !/\bnull\b(?!, with an error)/i.test(description?.value ?? '');
  return visit(document, {
    FieldDefinition: (field) =>
      isThere(field) ? { ...field, type: { kind: Kind.NON_NULL_TYPE, type: field.type } } : field,
  });
}

/** The operations of a folder, each followed by its fragments, whose texts stand there once. */
function printModule(folder) {
  const up = '../'.repeat(folder.split('/').length);
  const used = new Set();
  const printed = documents
    .filter(({ location }) => dirname(location) === folder)
    .flatMap(({ document }) => document.definitions)
    .filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
    .map((operation) => {
      const [name, kind] = [operation.name.value, operation.operation];
      const type = `types.${name}${kind[0].toUpperCase()}${kind.slice(1)}`;
      const own = [...fragmentsOf(operation)];
      for (const fragment of own) used.add(fragment);
      const text = [textOf(operation), ...own.map((fragment) => fragment.name.value)].join(' + ');
      return `export const ${name}Document = (${text}) as TypedDocument<${type}, ${type}Variables>;\n`;
    });
  const texts = [...used].map((fragment) => `const ${fragment.name.value} = ${textOf(fragment)};\n`);
  return `import type { TypedDocument } from '../${up}pages/application/document.ts';
import type * as types from './${up.slice(3)}types.ts';
export type * from './${up.slice(3)}types.ts';

${texts.join('')}${printed.join('')}`;
}

function textOf(definition) {
  return JSON.stringify(stripIgnoredCharacters(print(definition)));
}

function fragmentsOf(node, found = new Set()) {
  visit(node, {
    FragmentSpread({ name }) {
      const fragment = fragments.get(name.value);
      if (found.has(fragment)) return;
      found.add(fragment);
      fragmentsOf(fragment, found);
    },
  });
  return found;
}

function write(path, text) {
  mkdirSync(dirname(`${target}/${path}`), { recursive: true });
  writeFileSync(`${target}/${path}`, text);
}
