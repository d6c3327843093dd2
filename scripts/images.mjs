import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants } from 'node:zlib';
import { ON_DEMAND } from './packages-inside.mjs';
import { compress, ensureBuilt, ensureInstalled, refuseOldNode, root } from './setup.mjs';

/**
 * Runs `npm run images`, which builds the images of docker-compose.yml. Builds server and console, collects them in
 * dist/image with the packages that the server loads on Linux, and builds from there, so that Docker needs no network.
 * With `-- --local-bases` the base images are created here (Debian, root) where no registry is reachable.
 */
const folder = join(root, 'dist', 'image');

const ARCHITECTURES = { x64: 'x64', arm64: 'arm64' };

/** Collects the content of the images in a folder, which is the build context of infra/docker/Dockerfile. */
export async function prepareImages() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'empty'), { recursive: true });
  // A volume starts with the content of the image. At first no server may add backups.
  mkdirSync(join(folder, 'access'));
  writeFileSync(join(folder, 'access', 'htpasswd'), '');
  for (const name of ['package.json', 'package-lock.json', 'LICENSE']) cpSync(join(root, name), join(folder, name));
  const sbom = npm('sbom', '--omit=dev', '--package-lock-only', '--sbom-format=cyclonedx');
  writeFileSync(join(folder, 'sbom.cdx.json'), sbom);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(loadedManifest()));
  cpSync(join(root, 'dist', 'server'), join(folder, 'server'), { recursive: true });
  cpSync(join(root, 'dist', 'console'), join(folder, 'console'), { recursive: true });
  await compress(join(folder, 'console'), constants.BROTLI_MAX_QUALITY);
  cpSync(join(root, 'infra', 'docker', 'gateway'), join(folder, 'gateway'), { recursive: true });
  for (const name of ['packages', 'host'])
    cpSync(join(root, 'infra', name), join(folder, 'infra', name), { recursive: true });
  // npm's cache contains what `npm ci` of this checkout has fetched.
  npm(
    'ci',
    '--omit=dev',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...linux(),
  );
}

/**
 * Returns package.json with only the packages that the built server loads from node_modules (those outside of the
 * build, without the PostgreSQL of the all-in-one), and the fonts of documents.
 */
function loadedManifest() {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const loaded = [...ON_DEMAND, 'ssh2', '@node-rs', '@expo-google-fonts'];
  const dependencies = Object.entries(manifest.dependencies).filter(([name]) =>
    loaded.some((outside) => name === outside || name.startsWith(`${outside}/`)),
  );
  return { ...manifest, dependencies: Object.fromEntries(dependencies), devDependencies: {} };
}

/** Returns npm's options for Linux on this machine's processor, because images may be built on any system. */
function linux() {
  const cpu = ARCHITECTURES[process.arch];
  if (cpu === undefined) throw new Error(`There are no images for ${process.arch}.`);
  return ['--os=linux', `--cpu=${cpu}`, '--libc=glibc'];
}

function npm(...args) {
  return execFileSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 28,
  });
}

/** Returns the version and revision for the labels of the images. */
export function imageVersion() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const git = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
  return { VERSION: version, REVISION: git.status === 0 ? git.stdout.trim() : 'unknown' };
}

const TARGETS = ['ops', 'provisioner', 'billing', 'api', 'gateway', 'backups'];

/** Builds all images from the prepared folder, one after the other, because all but their last layers are the same. */
export function buildImages() {
  const { VERSION, REVISION } = imageVersion();
  for (const target of TARGETS) {
    const name = `moorage/${target}`;
    const labels = [`VERSION=${VERSION}`, `REVISION=${REVISION}`].flatMap((label) => ['--build-arg', label]);
    const file = join(root, 'infra', 'docker', 'Dockerfile');
    const tags = ['latest', VERSION].flatMap((tag) => ['--tag', `${name}:${tag}`]);
    orGiveUp(
      spawnSync('docker', ['build', '--quiet', '--target', target, '--file', file, ...labels, ...tags, folder], {
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
    );
    console.error(`${name}:${VERSION} built`);
  }
}

const BASES = ['node', 'caddy', 'redis', 'kafka', 'postgres', 'prometheus', 'restic', 'rest-server'];

function makeBases() {
  orGiveUp(spawnSync(join(root, 'infra', 'docker', 'base-images.sh'), BASES, { stdio: 'inherit' }));
}

function orGiveUp({ status, error }) {
  if (status === 0) return;
  console.error(error?.message ?? 'The images could not be built; see the output above.');
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [flag, ...rest] = process.argv.slice(2);
  if (rest.length > 0 || !['--local-bases', '--prepare', undefined].includes(flag)) {
    console.error('npm run images [-- --local-bases | --prepare]');
    process.exit(2);
  }
  refuseOldNode();
  process.chdir(root);
  await ensureInstalled({ tests: false });
  await ensureBuilt();
  await prepareImages();
  if (flag === '--local-bases') makeBases();
  if (flag !== '--prepare') buildImages();
}
