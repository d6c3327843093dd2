import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Chromium without a window to draw, which takes a third less time. */
const WITHOUT_WINDOW = '/usr/bin/chromium-headless-shell';
/** Waits if another installation is running on the machine. */
const WAIT = ['-o', 'DPkg::Lock::Timeout=300'];
const WITH_WINDOW = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * Finds Chromium for the browser journeys. It uses the program that CHROMIUM names, or on Debian as root the headless
 * shell, installed if missing, or else the machine's own browser. Returns false and prints a sentence if there is none.
 */
export function ensureChromium() {
  const isThere = (place) => place !== undefined && existsSync(place);
  if ([process.env.CHROMIUM, WITHOUT_WINDOW].some(isThere) || installed('chromium-headless-shell')) return true;
  if (WITH_WINDOW.some(isThere) || installed('chromium')) return true;
  console.error(
    'The browser journeys require Chromium: install it (Debian: apt install chromium-headless-shell) or set CHROMIUM to its path.',
  );
  return false;
}

function installed(name) {
  if (process.platform !== 'linux' || process.getuid() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  console.log(`Installing ${name} for the browser journeys...`);
  const quiet = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: 10 * 60_000,
  };
  const install = () =>
    spawnSync('apt-get', [...WAIT, 'install', '-y', '-q', '--no-install-recommends', name], quiet).status === 0;
  if (install()) return true;
  spawnSync('apt-get', [...WAIT, 'update', '-q'], quiet);
  return install();
}
