import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureChromium } from './browser.mjs';
import { buildImages, prepareImages } from './images.mjs';
import { JEST } from './jest.mjs';
import { obstacle } from './real-server.mjs';
import { ensureBuilt, ensureInstalled, refuseOldNode, root } from './setup.mjs';

/**
 * Runs `npm run test:stack -- <spec>`, with the journeys in the Docker stack as started by docker-compose.yml, on an
 * engine with its own networks. Requires Debian, root and Go. Base images are pulled, or created locally where no
 * registry is reachable.
 */
const folder = join(root, 'dist', 'stack');
const authority = join(folder, 'authority.pem');

/** Installs an ACME authority for tests, and the tool that signs for it. */
const INSTALL = `say() { echo "stack: $*" >&2; }; fail() { say "$@"; exit 1; }
. infra/docker/debian.sh; install_packages pebble openssl`;

function withEngine(...command) {
  const { status } = spawnSync(
    join(root, 'infra', 'docker', 'with-engine.sh'),
    [
      '--networks',
      'node',
      'caddy',
      'redis',
      'kafka',
      'postgres',
      'prometheus',
      'restic',
      'rest-server',
      '--',
      ...command,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, MOORAGE_TESTS: 'stack', NODE_EXTRA_CA_CERTS: authority },
    },
  );
  return status ?? 1;
}

/** Builds the base images, the first time only, and our own images. Takes minutes. */
export async function prepare() {
  await ensureBuilt();
  await prepareImages();
  const packages = spawnSync('bash', ['-c', INSTALL], { cwd: root, stdio: 'inherit' });
  if (packages.status !== 0) return 1;
  makeAuthority();
  return withEngine(process.execPath, fileURLToPath(import.meta.url), '--build');
}

/**
 * Creates the certificate authority that the gateway of a demo would create, because Node.js reads its trusted
 * authorities once, before the gateway exists.
 */
function makeAuthority() {
  mkdirSync(folder, { recursive: true });
  const make = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=Tests'.split(' ');
  execFileSync('openssl', [...make, '-keyout', join(folder, 'authority.key'), '-out', authority], { stdio: 'pipe' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  refuseOldNode();
  process.chdir(root);
  const [first, ...rest] = process.argv.slice(2);
  if (first === '--build') {
    buildImages();
    process.exit(0);
  }
  const why = obstacle();
  if (why !== undefined) {
    console.error(why);
    process.exit(1);
  }
  await ensureInstalled();
  if (!ensureChromium()) process.exit(1);
  if (first !== '--prepared' && (await prepare()) !== 0) process.exit(1);
  const wanted = first === '--prepared' ? rest : process.argv.slice(2);
  process.exit(withEngine(process.execPath, ...JEST, '--runInBand', ...wanted));
}
