import { spawnSync } from 'node:child_process';

/** The servers, the console and what drives a browser with the browser's types, and the rules alone without Node's types (a `process` or `Buffer` in them is refused). */
const programs = ['tsconfig.json', 'apps/console/tsconfig.json', 'tests/browser/tsconfig.json', 'libs/tsconfig.json'];
const failed = programs.filter(
  (program) =>
    spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', program], { stdio: 'inherit' }).status !== 0,
);
process.exit(failed.length === 0 ? 0 : 1);
