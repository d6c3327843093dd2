import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { constants as system } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { FolderInUse, lockFolder } from '../libs/server/folder-lock.js';

/** First steps of `npm start` and `npm test`. Uses only Node built-ins, because nothing is installed yet. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Maximum time of a command. An installation over a slow connection takes some minutes, everything else takes seconds.
 */
const COMMAND_MINUTES_MAX = 15;

export function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Moorage requires Node.js 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/**
 * Installs packages when node_modules lacks packages of the lock file, or when install scripts have not run yet. It does
 * not matter who installed the others. Commands that only build and run the product do without `tests`, the
 * development dependencies. A second start waits in the meantime.
 */
export async function ensureInstalled({ tests = true } = {}) {
  const isComplete = () => hasPackages(root, { tests }) && scriptsToRun().length === 0;
  if (isComplete()) return;
  // npm would empty the target of the link, which belongs to another checkout.
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    console.error('node_modules is a link to another folder and does not match this lock file: remove the link first.');
    process.exit(1);
  }
  await alone(async () => {
    if (isComplete()) return;
    if (!hasPackages(root, { tests })) {
      console.error(`Installing packages${tests ? ' and those of the tests' : ''} (the first time only)...`);
      // A running product keeps its packages while those of the tests are added.
      const adds = tests && hasPackages(root, { tests: false });
      const group = tests ? '--include=dev' : '--omit=dev';
      orInstallAgain(await npm(root, ...(adds ? ['install', '--no-save'] : ['ci']), group, '--strict-allow-scripts'));
    }
    const names = scriptsToRun();
    if (names.length === 0) return;
    // .npmrc disables the install scripts of packages, also for npm 10, which does not support allowScripts.
    orInstallAgain(await npm(root, 'rebuild', '--ignore-scripts=false', ...names));
    for (const name of names) writeFileSync(scriptsMark(name), '');
  });
}

/** Installs the packages of a part of the nightly run. Returns the exit code. */
export async function installNightlyPackages() {
  const folder = join(root, NIGHTLY_PACKAGES);
  if (hasPackages(folder, { tests: true })) return 0;
  console.error('Installing the packages of the nightly run (the first time only)...');
  return alone(() => npm(folder, 'ci'));
}

/** Folder of the packages that only parts of the nightly run need. */
export const NIGHTLY_PACKAGES = join('tests', 'nightly');

/**
 * Returns whether node_modules of a folder has the packages of its lock file. npm lists what it has installed in a
 * hidden lock file.
 */
function hasPackages(folder, { tests }) {
  const installed = packagesOf(join(folder, 'node_modules', '.package-lock.json'));
  return Object.entries(packagesOf(join(folder, 'package-lock.json'))).every(
    ([path, wanted]) =>
      path === '' ||
      (wanted.dev && !tests) ||
      (wanted.optional && !fitsPlatform(wanted)) ||
      (installed[path]?.version === wanted.version && installed[path].integrity === wanted.integrity),
  );
}

function packagesOf(lockFile) {
  return JSON.parse(read(lockFile) ?? '{"packages":{}}').packages;
}

/** Returns whether npm installs an optional package here. The C library is not compared. */
function fitsPlatform({ os, cpu, libc }) {
  return libc === undefined && os?.includes(process.platform) && cpu?.includes(process.arch);
}

/** Returns the installed packages with install scripts that may run and have not. npm rebuilds only these. */
function scriptsToRun() {
  const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const names = Object.keys(allowScripts).filter(
    (name) => allowScripts[name] && existsSync(join(root, 'node_modules', name)),
  );
  return names.filter((name) => !existsSync(scriptsMark(name)));
}

/** Returns the path of a file inside the package, so that it disappears with the package. */
function scriptsMark(name) {
  return join(root, 'node_modules', name, '.scripts-have-run');
}

function npm(folder, ...args) {
  const path = process.env.npm_execpath;
  const [command, first] = path?.endsWith('.js') ? [process.execPath, [path]] : ['npm', []];
  return run(command, [...first, ...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['inherit', 2, 2],
  });
}

function orInstallAgain(status) {
  if (status === 0) return;
  console.error('Installing failed; see the output above. It is safe to run the same command again.');
  process.exit(1);
}

/** Builds the server and the console when their sources differ from those of dist. */
export async function ensureBuilt() {
  const sources = [
    ...['apps', 'libs', 'rolldown.config.js', 'scripts/packages-inside.mjs', 'tsconfig.json', 'tsconfig.base.json'],
    ...['package.json', 'package-lock.json'],
  ];
  const wanted = hash(
    sources.flatMap((path) => [...files(join(root, path))]).flatMap((file) => [file, readFileSync(file)]),
  );
  const mark = join(root, 'dist', '.built');
  if (read(mark) === wanted) return;
  await alone(async () => {
    if (read(mark) === wanted) return;
    // An interrupted build matches no sources.
    rmSync(mark, { force: true });
    rmSync(join(root, 'dist', 'server'), { recursive: true, force: true });
    await Promise.all([bundle('rolldown.config.js'), buildConsole().then(orGiveUp)]);
    await compress(join(root, 'dist', 'console'));
    mkdirSync(dirname(mark), { recursive: true });
    writeFileSync(mark, wanted);
  });
}

/**
 * Returns a copy of the build for the running product, as a folder of hard links, so that the next build (of a test, an
 * operator's command or a product with another data folder) does not remove its files. Copies of products that have
 * ended are removed.
 */
export async function runningCopy() {
  const dist = join(root, 'dist');
  return alone(async () => {
    for (const name of readdirSync(dist)) {
      if (!name.startsWith(COPY)) continue;
      const unused = await lockFolder(join(dist, name), 'product').catch(() => undefined);
      if (unused === undefined) continue;
      unused.release();
      rmSync(join(dist, name), { recursive: true, force: true });
    }
    const copy = join(dist, `${COPY}${randomBytes(4).toString('hex')}`);
    await lockFolder(copy, 'product');
    link(join(dist, 'server'), copy);
    link(join(dist, 'console'), join(copy, 'console'));
    return copy;
  });
}

const COPY = 'running-';

function link(from, to) {
  for (const file of files(from)) {
    const target = join(to, relative(from, file));
    mkdirSync(dirname(target), { recursive: true });
    try {
      linkSync(file, target);
    } catch {
      cpSync(file, target); // a file system without links
    }
  }
}

/** Runs one installation or build of a checkout at a time. */
async function alone(act) {
  for (let waited = 0; ; waited++) {
    try {
      const lock = await lockFolder(join(root, '.cache', 'build'), 'command');
      return await act().finally(() => lock.release());
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
      if (waited === 0) console.error('Waiting for another installation or build of this folder...');
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

/** Runs Rolldown with this configuration, and exits if it fails. */
export async function bundle(config) {
  const rolldown = join(root, 'node_modules', 'rolldown', 'bin', 'cli.mjs');
  orGiveUp(
    await run(process.execPath, [rolldown, '-c', config, '--logLevel', 'warn'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
}

function orGiveUp(status) {
  if (status === 0) return;
  console.error('Building failed; see the output above.');
  process.exit(1);
}

/**
 * Runs a command and returns its exit code. A signal to this process ends the command first, so that nothing continues
 * after it. A command that exceeds its time is killed and counts as failed.
 */
function run(command, args, options = {}) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: 'inherit',
    timeout: COMMAND_MINUTES_MAX * 60_000,
    ...options,
  });
  let requested;
  const pass = (signal) => {
    requested = signal;
    child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, pass);
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on('close', (status, signal) => {
      for (const name of ['SIGINT', 'SIGTERM']) process.off(name, pass);
      if (requested !== undefined) process.exit(128 + system.signals[requested]);
      if (signal !== null) console.error(`Terminated by ${signal}; the limit is ${COMMAND_MINUTES_MAX} minutes.`);
      resolve(status ?? 1);
    });
  });
}

function buildConsole() {
  return run(process.execPath, [join(root, 'apps', 'console', 'build.js')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
}

/**
 * Writes a .br and a .gz file beside every text file, so that no request has to compress. The best quality takes
 * fifteen times as long as the default for 7 % fewer bytes.
 */
export async function compress(folder, quality = 9) {
  const texts = [...files(folder)].filter((file) => /\.(js|css|svg|html)$/.test(file));
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  await Promise.all(
    texts.map(async (file) => {
      const text = await readFile(file);
      await writeFile(`${file}.gz`, await promisify(gzip)(text, { level: 9 }));
      await writeFile(`${file}.br`, await promisify(brotliCompress)(text, { params }));
    }),
  );
}

function* files(path) {
  if (!statSync(path).isDirectory()) return yield path;
  for (const name of readdirSync(path).sort()) yield* files(join(path, name));
}

function hash(parts) {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part).update('\0');
  return sum.digest('hex');
}

function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
