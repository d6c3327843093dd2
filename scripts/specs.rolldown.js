import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ON_DEMAND, packagesInside } from './packages-inside.mjs';

const all = ['libs', 'apps', 'scripts', 'bench', 'tests']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
  .filter((file) => /\.spec\.tsx?$/.test(file) && !file.includes('node_modules'));
const isConsoles = (file) => file.startsWith(join('apps', 'console'));

/**
 * Builds every spec like the code that it tests, with bundled packages. Jest gives each test file its own modules, so
 * without bundling a spec of the api or of a screen reads some two thousand files, and with bundling about a dozen.
 * Decorators and their metadata are tested as compiled for the shipped product. `outside` lists packages that are not
 * bundled. Jest's packages and fast-check (same-examples.mjs) must not be duplicated, and the others contain binaries or
 * read files from their own folder.
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
    // Removing comments and whitespace halves the code to read. Names are kept for the output of failures.
    minify: { compress: false, mangle: false, codegen: true },
  },
});

export default [
  built(
    'servers',
    all.filter((file) => !isConsoles(file)),
    {
      outside: [
        '@jest',
        '@redocly',
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
  built('console', [join('apps', 'console', 'testing', 'set-up.ts'), ...all.filter(isConsoles)], {
    // `act` of React loads Node's timers through `module.require`, which a bundled module does not have.
    outside: ['@jest', 'react'],
    moduleTypes: { '.css': 'empty' },
    // Tests load everything that a browser loads on demand.
    checks: { ineffectiveDynamicImport: false },
    // Directives that packages use to mark server components.
    onLog: (level, log, tell) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : tell(level, log)),
  }),
];
