import { spawnSync } from 'node:child_process';

/**
 * Checks the types of the servers, of the console and browser drivers with the browser's types, and of the rules
 * without Node's types (a `process` or `Buffer` in them is refused).
 */
const programs = ['tsconfig.json', 'apps/console/tsconfig.json', 'tests/browser/tsconfig.json', 'libs/tsconfig.json'];
const failed = programs.filter(
  (program) =>
    spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', program], { stdio: 'inherit' }).status !== 0,
);
process.exit(failed.length === 0 ? 0 : 1);
