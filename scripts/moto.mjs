import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { JEST } from './jest.mjs';
import { ensureInstalled, refuseOldNode, root } from './setup.mjs';

/** Version of moto, which simulates the EC2 API of AWS. It is installed from PyPI into the cache folder. */
const VERSION = '5.2.1';
const folder = join(process.env.MOORAGE_CACHE_DIR ?? join(homedir(), '.cache', 'moorage'), `moto-${VERSION}`);
const MOTO_SERVER = join(folder, 'bin', 'moto_server');
const BUILD_MS_MAX = 10 * 60_000;
const START_MS_MAX = 60_000;

/**
 * The image that the product searches for, which moto does not have in a recent version. It has no date, because moto
 * reads a date only once.
 */
const IMAGES = [
  {
    ami_id: 'ami-0a1b2c3d4e5f60718',
    name: 'ubuntu/images/hvm-ssd-gp3/ubuntu-noble-24.04-amd64-server-20261015',
    owner_id: '099720109477',
    state: 'available',
    public: true,
    image_location: 'amazon/ubuntu-noble',
    image_type: 'machine',
    architecture: 'x86_64',
    root_device_type: 'ebs',
    root_device_name: '/dev/sda1',
    hypervisor: 'xen',
    virtualization_type: 'hvm',
    sriov: 'simple',
    description: 'Ubuntu 24.04',
    platform: null,
    product_codes: [],
  },
];

/** Returns the reason why it cannot run here, or undefined if it can. */
export const obstacle = () =>
  existsSync(MOTO_SERVER) || spawnSync('python3', ['-c', 'import ensurepip, venv']).status === 0
    ? undefined
    : 'requires Python 3 with venv';

export function prepare() {
  if (existsSync(MOTO_SERVER)) return;
  console.log(`installing moto ${VERSION} (first time only)`);
  mkdirSync(dirname(folder), { recursive: true });
  const run = (command, ...args) => spawnSync(command, args, { stdio: 'inherit', timeout: BUILD_MS_MAX }).status ?? 1;
  const failed =
    run('python3', '-m', 'venv', folder) ||
    run(join(folder, 'bin', 'pip'), 'install', '--quiet', `moto[ec2,server]==${VERSION}`);
  // An incomplete installation would be mistaken for a complete one next time.
  if (failed) rmSync(folder, { recursive: true, force: true });
  return failed;
}

/** Starts moto on a free loopback port. Returns its address and a function that stops it. */
export async function startMoto() {
  const place = mkdtempSync(join(tmpdir(), 'moto-'));
  const images = join(place, 'images.json');
  writeFileSync(images, JSON.stringify(IMAGES));
  const server = spawn(MOTO_SERVER, ['-H', '127.0.0.1', '-p', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      MOTO_AMIS_PATH: images,
      MOTO_EC2_ENABLE_INSTANCE_TYPE_VALIDATION: 'true',
      MOTO_ENABLE_AMI_VALIDATION: 'true',
    },
  });
  const stop = () => {
    server.kill('SIGKILL');
    rmSync(place, { recursive: true, force: true });
  };
  const url = await new Promise((resolve) => {
    const limit = setTimeout(() => resolve(undefined), START_MS_MAX);
    let said = '';
    server.stderr.setEncoding('utf8').on('data', (text) => {
      // Later output is read and ignored.
      said = `${said}${text}`.slice(-10_000);
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
      if (address === undefined) return;
      clearTimeout(limit);
      resolve(address);
    });
    server.on('close', () => {
      clearTimeout(limit);
      resolve(undefined);
    });
    server.on('error', () => resolve(undefined));
  });
  if (url === undefined) {
    stop();
    throw new Error('moto did not start');
  }
  return { url, stop };
}

/** Runs tests of the group `clouds` with moto, and returns their exit code. */
async function withMoto(args) {
  const { url, stop } = await startMoto();
  try {
    return await new Promise((resolve) => {
      const tests = spawn(process.execPath, [...JEST, '--runInBand', ...args], {
        cwd: root,
        stdio: 'inherit',
        env: { ...process.env, MOORAGE_TESTS: 'clouds', MOTO: url },
      });
      tests.on('close', (status) => resolve(status ?? 1));
      tests.on('error', () => resolve(1));
    });
  } finally {
    stop();
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
  if (prepare()) process.exit(1);
  process.exit(await withMoto(process.argv.length > 2 ? process.argv.slice(2) : ['aws-moto']));
}
