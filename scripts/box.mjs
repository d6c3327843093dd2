import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runGroup } from './jest.mjs';
import { ensureBuilt, ensureInstalled, refuseOldNode, root } from './setup.mjs';

/** The build that the box starts its processes from; called where the server's own is fresh. */
export function buildBox() {
  const rolldown = join(root, 'node_modules', 'rolldown', 'bin', 'cli.mjs');
  const done = spawnSync(process.execPath, [rolldown, '-c', 'tests/box/rolldown.config.js', '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (done.status === 0) return;
  console.error('Building for the box failed; the lines above say why.');
  process.exit(1);
}

/** `npm run test:box [-- <jest arguments>]`: the built product's processes, killed at every named place. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  refuseOldNode();
  process.chdir(root);
  ensureInstalled();
  ensureBuilt();
  buildBox();
  runGroup('box', process.argv.slice(2));
}
