import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = import.meta.dirname;
const ours = join(here, 'monaco.ts');

export default defineConfig({
  root: here,
  base: '/playground/',
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
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 5000,
    rolldownOptions: { onLog: (level, log, pass) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && pass(level, log) },
  },
  // For development: requests are passed to a service that runs beside Vite.
  server: {
    proxy: Object.fromEntries(['/graphql', '/demo.json', '/assets'].map((path) => [path, 'http://127.0.0.1:4000'])),
  },
});
