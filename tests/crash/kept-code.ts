import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type Module from 'node:module';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

/**
 * Loaded before a process of the crash tests (`--require`): what V8 compiled is kept beside the build by the first process
 * that ends by itself, the whole product after a deployment's life, and those that are to be killed compile nothing again.
 * V8 refuses what another version of it wrote; a new build is a new folder.
 */
const scripts = new Map<string, Script>();
const files = require.extensions;
const plainly = files['.js'];

files['.js'] = (module: Module, file: string): void => {
  if (dirname(file) !== __dirname) return void plainly?.(module, file);
  const kept = keptCodeOf(file);
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`,
    { filename: file, ...(existsSync(kept) ? { cachedData: readFileSync(kept) } : {}) },
  );
  scripts.set(kept, script);
  const run = script.runInThisContext() as (...names: unknown[]) => void;
  run.call(module.exports, module.exports, createRequire(file), module, file, dirname(file));
};

process.once('exit', (code) => {
  if (code !== 0) return;
  for (const [kept, script] of scripts) {
    if (existsSync(kept)) continue;
    const mine = `${kept}.${process.pid}`;
    writeFileSync(mine, script.createCachedData());
    renameSync(mine, kept); // another process may read or write it now: whole or not at all
  }
});

function keptCodeOf(file: string): string {
  return `${file}.code`;
}
