import { defineConfig } from 'rolldown';
import { ON_DEMAND, packagesInside } from './scripts/packages-inside.mjs';

/**
 * Builds the servers with their packages in shared chunks, because reading two thousand files of packages is most of the
 * start-up time (docs/adr/0001). Packages with binaries are not bundled.
 */
export default defineConfig({
  input: {
    api: 'apps/api/main.ts',
    provisioner: 'apps/provisioner/main.ts',
    billing: 'apps/billing/main.ts',
    'all-in-one': 'apps/all-in-one/main.ts',
    ops: 'apps/all-in-one/ops.ts',
    // Worker thread of the api.
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
        // On the same line, so that the source map stays correct.
        handler: (code) => ({
          code: code.replace('return require(name)', 'return name === "pg" ? require("pg") : require(name)'),
          map: null,
        }),
      },
    },
  ],
  output: {
    dir: 'dist/server',
    sourcemap: true,
    // Node reads every map at start, and half of a map would be the sources.
    sourcemapExcludeSources: true,
    minify: { compress: false, mangle: false, codegen: true },
  },
});
