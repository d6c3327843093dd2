import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Has no window to draw and costs a third less. */
const WITHOUT_WINDOW = '/usr/bin/chromium-headless-shell';
/** Another installation on the machine may be at work. */
const WAIT = ['-o', 'DPkg::Lock::Timeout=300'];
const WITH_WINDOW = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * Chromium for the browser journeys: the one CHROMIUM names; on Debian as root the one without a window, installed when
 * missing; else the machine's own. Returns false with a sentence.
 */
export function ensureChromium() {
  const isThere = (place) => place !== undefined && existsSync(place);
  if ([process.env.CHROMIUM, WITHOUT_WINDOW].some(isThere) || installed('chromium-headless-shell')) return true;
  if (WITH_WINDOW.some(isThere) || installed('chromium')) return true;
  console.error(
    'The browser journeys need Chromium: install it (Debian: apt install chromium-headless-shell) or name it in CHROMIUM.',
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
