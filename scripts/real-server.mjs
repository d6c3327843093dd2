import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureChromium } from './browser.mjs';
import { ensureBuilt, ensureInstalled, refuseOldNode, root } from './setup.mjs';

/**
 * `npm run test:real-server`: sets up a real SSH server with a real Docker Engine on loopback, with DNS and a certificate
 * authority, and runs the journey on it against the built product. Debian, root.
 */
const report = join(root, 'dist', 'test-results', 'real-server.json');
const bench = join(root, 'tests', 'real-server', 'bench.sh');

/** Why it cannot run here, as a sentence; undefined when it can. */
function obstacle() {
  const needs = 'The journey on a real server needs Debian (12), as root, with Go 1.25 or newer';
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

/** Installs the bench, which takes minutes the first time, and runs the journey; needs a built product. Counts tests. */
export function runRealServer() {
  const why = obstacle();
  if (why !== undefined) return notRun(why);
  const installed = spawnSync(bench, ['install'], { cwd: root, stdio: 'inherit' });
  if (installed.status !== 0) return notRun('The bench could not be installed; the lines above say why.');

  if (!ensureChromium()) return { passed: 0, failed: 1 };

  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const jest = [
    ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'],
    ...['--runInBand', '--json', `--outputFile=${report}`],
  ];
  const { status } = spawnSync(process.execPath, jest, {
    cwd: root,
    // the report goes to its file; standard output would repeat it as one long line
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, MOORAGE_TESTS: 'real-server' },
  });
  const { numPassedTests: passed = 0, numFailedTests = 0 } = read(report);
  // a suite that could not even load, or in which no test ran, has failed too
  return { passed, failed: numFailedTests === 0 && (status !== 0 || passed === 0) ? 1 : numFailedTests };
}

function notRun(sentence) {
  console.error(sentence);
  return { passed: 0, failed: 1 };
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
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
  ensureInstalled();
  ensureBuilt();
  const { passed, failed } = runRealServer();
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
