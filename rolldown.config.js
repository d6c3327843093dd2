import { defineConfig } from 'rolldown';
import { ON_DEMAND, packagesInside } from './scripts/packages-inside.mjs';

/**
 * The whole server build, our code and its packages in shared chunks: reading two thousand files of packages is most of
 * what starting a process costs (docs/adr/0001). Outside is what holds binaries.
 */
export default defineConfig({
  input: {
    api: 'apps/api/main.ts',
    provisioner: 'apps/provisioner/main.ts',
    billing: 'apps/billing/main.ts',
    'all-in-one': 'apps/all-in-one/main.ts',
    ops: 'apps/all-in-one/ops.ts',
    // a worker thread of the api
    'render-document': 'apps/api/billing-documents/render-document.ts',
  },
  platform: 'node',
  tsconfig: 'tsconfig.json',
  moduleTypes: { '.sql': 'text' },
  external: packagesInside(['ssh2', ...ON_DEMAND]),
  plugins: [
    {
      name: 'what-typeorm-loads-by-name',
      transform: {
        filter: { id: /typeorm\/platform\/PlatformTools\.js$/ },
        // on the same line, so that the map still fits
        handler: (code) => ({
          code: code.replace('return require(name)', 'return name === "pg" ? require("pg") : require(name)'),
          map: null,
        }),
      },
    },
  ],
  output: { dir: 'dist/server', sourcemap: true, cleanDir: true },
});
