import react from '@vitejs/plugin-react';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { chunksOf } from './chunks.js';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');

/**
 * Returns the pattern of a file name. A file that pages share would have the names of these pages, and each page loads
 * the list of these files.
 */
const nameOf = (name, extension) => `assets/${name.includes('~') ? '' : '[name]-'}[hash].${extension}`;

/** Builds the console as static files that any file server can serve under the policy of `console-pages`. */
export default defineConfig({
  root: here,
  publicDir: 'static',
  plugins: [react()],
  resolve: {
    alias: {
      '@moorage/domain': join(root, 'libs', 'domain', 'index.ts'),
      '@moorage/contracts': join(root, 'libs', 'contracts', 'index.ts'),
      '@moorage/texts': join(root, 'libs', 'texts', 'index.ts'),
    },
  },
  build: {
    outDir: join(root, 'dist', 'console'),
    emptyOutDir: true,
    target: 'es2023',
    // The policy forbids inline resources, and files are cached while data: URLs are not.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_200,
    sourcemap: false,
    // The public suffix list is one long string that would be inlined at each use.
    rolldownOptions: {
      optimization: { inlineConst: false },
      // Importing from the index of a library loads only the modules that are used.
      treeshake: { moduleSideEffects: [{ test: /[\\/]libs[\\/]/, sideEffects: false }] },
      output: {
        codeSplitting: chunksOf(here),
        chunkFileNames: ({ name }) => nameOf(name, 'js'),
        assetFileNames: ({ names: [name = ''] }) => nameOf(name.replace(/\.\w+$/, ''), '[ext]'),
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: process.env.API_URL ?? 'http://127.0.0.1:3000', changeOrigin: false } },
  },
});
