import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = import.meta.dirname;
const ours = join(here, 'playground/monaco.ts');

export default defineConfig({
  root: here,
  base: '/',
  publicDir: false,
  plugins: [
    react(),
    {
      name: 'small-monaco',
      enforce: 'pre',
      // GraphiQL and monaco-graphql import the whole of Monaco; this resolves to our smaller module.
      resolveId: (id, importer) =>
        id.startsWith('monaco-graphql/esm/monaco-editor') ||
        (id === './monaco-editor' && importer?.includes('/monaco-graphql/'))
          ? ours
          : null,
    },
  ],
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    // Browsers that have both of these are older than what the scripts need.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 5000,
    // The service puts the files of an entry into its pages: see site/layout.ts.
    manifest: 'manifest.json',
    rolldownOptions: {
      input: [
        'site/site.css',
        'site/first-paint.ts',
        'site/header.ts',
        'site/copy.ts',
        'reference/main.tsx',
        'reference/schema.ts',
        'playground/main.tsx',
        'console/board/main.tsx',
        'console/main.tsx',
        'console/service-worker.ts',
      ].map((path) => join(here, path)),
      // Few files, as each costs a request: what every page runs, and what those with a log-in share.
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[/\\\\](?:react|react-dom|scheduler)[/\\\\]/ },
            {
              name: 'application',
              test: /pages[/\\\\]application[/\\\\](?!data|follow|list-pages|sharing).*(?<!css)$/,
            },
            // Modules that the board and the console share. They stand before the parts, which would take them along.
            {
              name: 'shared',
              test: /pages[/\\\\](?:time[/\\\\](?!typed).*|application[/\\\\]data|console[/\\\\]board[/\\\\]address)\.ts$/,
            },
            { name: 'board', test: /pages[/\\\\]console[/\\\\]board(?:\.ts|[/\\\\]times\.tsx)$/ },
            // What few pages need comes by itself.
            {
              name: 'parts',
              test: /console[/\\\\]parts[/\\\\](?!page|messages|history|table|combobox|catalogue|remove|secret|clients|offer-undo).*(?<!css)$/,
            },
          ],
        },
      },
      onLog: (level, log, pass) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && pass(level, log),
    },
  },
});
