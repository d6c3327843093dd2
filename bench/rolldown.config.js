import { readFileSync } from 'node:fs';
import { defineConfig } from 'rolldown';

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

/** The benchmarks, bundled as the services are; run from the repository's root. */
export default defineConfig({
  input: { billing: 'bench/billing.bench.ts' },
  platform: 'node',
  tsconfig: 'tsconfig.json',
  moduleTypes: { '.sql': 'text' },
  external: (id) =>
    id.startsWith('node:') || Object.keys(dependencies).some((name) => id === name || id.startsWith(`${name}/`)),
  output: { dir: 'dist/bench', sourcemap: true, cleanDir: true },
});
