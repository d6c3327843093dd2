import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { runGroup } from './jest.mjs';
import { obstacle } from './real-server.mjs';
import { ensureBuilt, ensureInstalled, refuseOldNode, root } from './setup.mjs';

/**
 * Runs `npm run test:host-faults`. A separate Debian (dpkg, sshd, Docker) is interrupted, rebooted and filled while the
 * built product deploys to it, and its worker is killed. Requires Debian and root, and takes some minutes, and a few
 * more the first time.
 */
refuseOldNode();
process.chdir(root);
const why = obstacle();
if (why !== undefined) {
  console.error(why);
  process.exit(1);
}
await ensureInstalled();
await ensureBuilt();
const created = spawnSync(join(root, 'tests', 'host-faults', 'host.sh'), ['install'], { cwd: root, stdio: 'inherit' });
if (created.status !== 0) process.exit(1);
runGroup('host-faults', ['--runInBand', ...process.argv.slice(2)]);
