import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureChromium } from './browser.mjs';
import { runGroup } from './jest.mjs';
import { ensureBuilt, ensureInstalled, refuseOldNode, root } from './setup.mjs';

/**
 * Runs `npm run test:real-server`, which sets up a real SSH server with a real Docker Engine on loopback, with DNS and
 * a certificate authority, and runs the journey on it against the built product. Requires Debian and root.
 */
const bench = join(root, 'tests', 'real-server', 'bench.sh');

/** Returns the reason why it cannot run here, or undefined if it can. */
export function obstacle() {
  const needs = 'Tests on a real server require Debian (12), root, and Go 1.25 or newer';
  if (process.platform !== 'linux' || !isDebian()) return `${needs}; this machine is not Debian.`;
  if (process.getuid() !== 0) return `${needs}; run it as root.`;
  return undefined;
}

function isDebian() {
  try {
    return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  refuseOldNode();
  process.chdir(root);
  const why = obstacle();
  if (why !== undefined) {
    console.error(why);
    process.exit(1);
  }
  await ensureInstalled();
  if (!ensureChromium()) process.exit(1);
  await ensureBuilt();
  const installed = spawnSync(bench, ['install'], { cwd: root, stdio: 'inherit' });
  if (installed.status !== 0) process.exit(1);
  runGroup('real-server', ['--runInBand', ...process.argv.slice(2)]);
}
