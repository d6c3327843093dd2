import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Version of Prism, which validates requests and responses against an OpenAPI description. It is installed into the
 * cache folder. 5.16 needs Node 24.
 */
const VERSION = '5.14.2';
const folder = join(process.env.MOORAGE_CACHE_DIR ?? join(homedir(), '.cache', 'moorage'), `prism-${VERSION}`);
export const PRISM = join(folder, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js');
const INSTALL_MS_MAX = 10 * 60_000;

/** Installs Prism if it is missing. Returns 0 if it is available. */
export function prepare() {
  if (existsSync(PRISM)) return 0;
  console.log(`installing Prism ${VERSION} (first time only)`);
  const { status } = spawnSync(
    'npm',
    ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', `@stoplight/prism-cli@${VERSION}`],
    { stdio: 'inherit', timeout: INSTALL_MS_MAX },
  );
  return status ?? 1;
}
