import { readFileSync } from 'node:fs';
import { defineConfig } from 'rolldown';

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

/** The whole server build. Our code is bundled into shared chunks, packages are not. */
export default defineConfig({
  input: {
    api: 'apps/api/main.ts',
    provisioner: 'apps/provisioner/main.ts',
    billing: 'apps/billing/main.ts',
    'all-in-one': 'apps/all-in-one/main.ts',
    ops: 'apps/all-in-one/ops.ts',
  },
  platform: 'node',
  tsconfig: 'tsconfig.json',
  moduleTypes: { '.sql': 'text' },
  external: (id) =>
    id.startsWith('node:') || Object.keys(dependencies).some((name) => id === name || id.startsWith(`${name}/`)),
  output: { dir: 'dist/server', sourcemap: true, cleanDir: true },
});
