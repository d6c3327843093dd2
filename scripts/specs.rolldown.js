import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { replacePlugin } from 'rolldown/plugins';
import { ON_DEMAND, packagesInside } from './packages-inside.mjs';

const all = ['libs', 'apps', 'scripts', 'bench', 'tests']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
  .filter((file) => /\.spec\.tsx?$/.test(file));
const isConsoles = (file) => file.startsWith(join('apps', 'console'));

/**
 * Every spec, built as what it tests is built, with the packages inside: Jest gives each file modules of
 * its own, and of some two thousand files that a spec of the api or of a screen reads from source a dozen are left.
 * Decorators and their metadata are tested by the compiler that the product is shipped by. `outside`: Jest's own and
 * fast-check (same-examples.mjs) must stay one; the others hold binaries or look for files beside themselves.
 */
const built = (name, specs, { outside, ...more }) => ({
  input: Object.fromEntries(specs.map((file) => [file.replace(/\.tsx?$/, ''), file])),
  platform: 'node',
  tsconfig: 'tsconfig.json',
  external: packagesInside(outside),
  ...more,
  output: {
    dir: join('dist', 'specs', name),
    cleanDir: true,
    sourcemap: true,
    chunkFileNames: 'chunks/[name]-[hash].js',
    // without comments and blanks there is half as much to read; names stay, for what a failure says
    minify: { compress: false, mangle: false, codegen: true },
  },
});

/**
 * What React does in development only, by its own text. Should an update word it otherwise nothing is replaced: tests that
 * hold the clock then hang, and each element costs a trace again.
 */
const REACT = {
  // `act` takes Node's timers through `module.require`, which a module inside another has not; without them it would wait
  // on a MessageChannel, which no test can hold still
  'module && module[requireString]': 'process.getBuiltinModule',
  // a stack trace for every element ever made, for the sake of warnings
  '1e4 > ReactSharedInternals.recentlyCreatedOwnerStacks++': 'false',
};

export default [
  built(
    'servers',
    all.filter((file) => !isConsoles(file)),
    {
      outside: [
        '@jest/',
        '@redocly/',
        'fast-check',
        'openapi-typescript',
        'ssh2',
        'pdfjs-dist',
        'typescript',
        ...ON_DEMAND,
      ],
      moduleTypes: { '.sql': 'text' },
    },
  ),
  built('console', all.filter(isConsoles), {
    outside: ['@jest/'],
    moduleTypes: { '.css': 'empty' },
    plugins: [replacePlugin(REACT, { delimiters: ['', ''] })],
    // what is loaded on demand in a browser is loaded by its tests
    checks: { ineffectiveDynamicImport: false },
    // packages say where a server's components end
    onLog: (level, log, tell) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : tell(level, log)),
  }),
];
