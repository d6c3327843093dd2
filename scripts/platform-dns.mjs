import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runGroup } from './jest.mjs';
import { obstacle } from './real-server.mjs';
import { ensureInstalled, refuseOldNode, root } from './setup.mjs';

/** Runs the tests of the platform's DNS on a BIND on loopback. Requires Debian and root. */
const INSTALL = `say() { echo "platform-dns: $*" >&2; }; fail() { say "$@"; exit 1; }
. infra/docker/debian.sh; install_packages bind9 bind9-dnsutils`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  refuseOldNode();
  process.chdir(root);
  const why = obstacle();
  if (why !== undefined) {
    console.error(why);
    process.exit(1);
  }
  await ensureInstalled();
  const packages = spawnSync('bash', ['-c', INSTALL], { cwd: root, stdio: 'inherit' });
  if (packages.status !== 0) process.exit(1);
  runGroup('platform-dns', ['--runInBand', ...process.argv.slice(2)]);
}
