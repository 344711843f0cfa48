import type { CodegenConfig } from '@graphql-codegen/cli';

/** Types for every document in the client's code, from the schema that the service publishes. */
const config: CodegenConfig = {
  schema: 'generated/schema.graphql',
  documents: ['graphql/*.ts', 'dashboard/*.ts', 'apollo/*.ts', 'urql/*.ts'],
  generates: {
    'generated/graphql/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        strictScalars: true,
        // As JSON carries them; amounts stay text, so that no cent is lost.
        scalars: {
          DateTimeISO: 'string',
          LocalDate: 'string',
          Decimal: 'string',
          Currency: 'string',
          JSON: 'unknown',
          JSONObject: 'object',
        },
        enumsAsTypes: true,
        // The clients' caches add it to every selection.
        nonOptionalTypename: true,
        skipTypeNameForRoot: true,
        useTypeImports: true,
        emitLegacyCommonJSImports: false,
      },
    },
  },
};

export default config;
