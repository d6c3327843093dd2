import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Chromium for the browser journeys: the machine's own; on Debian as root it is installed. Returns false with a sentence. */
export function ensureChromium() {
  if ([process.env.CHROMIUM, ...PLACES].some((place) => place !== undefined && existsSync(place))) return true;
  if (process.platform === 'linux' && process.getuid() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium for the browser journeys...');
    const quiet = {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    };
    const install = () =>
      spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], quiet).status;
    if (install() === 0) return true;
    spawnSync('apt-get', ['update', '-q'], quiet);
    if (install() === 0) return true;
  }
  console.error(
    'The browser journeys need Chromium: install it (Debian: apt install chromium) or name it in CHROMIUM.',
  );
  return false;
}
