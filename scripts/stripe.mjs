import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Version of stripe-mock, which validates requests against Stripe's OpenAPI description. It is built with Go into the
 * cache folder.
 */
const VERSION = 'v0.203.0';
const folder = join(process.env.MOORAGE_CACHE_DIR ?? join(homedir(), '.cache', 'moorage'), `stripe-mock-${VERSION}`);
export const STRIPE_MOCK = join(folder, 'stripe-mock');
const BUILD_MS_MAX = 10 * 60_000;

/** Returns the reason why it cannot run here, or undefined if it can. */
export const obstacle = () =>
  existsSync(STRIPE_MOCK) || spawnSync('go', ['version']).status === 0 ? undefined : 'requires Go 1.25 or newer';

export function prepare() {
  if (existsSync(STRIPE_MOCK)) return;
  console.log(`building stripe-mock ${VERSION} (first time only)`);
  spawnSync('go', ['install', `github.com/stripe/stripe-mock@${VERSION}`], {
    stdio: 'inherit',
    env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0' },
    timeout: BUILD_MS_MAX,
  });
}
