import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** What `npm start` and `npm test` do first. Node built-ins only: nothing is installed yet. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Moorage needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Installs when the lock file, the platform or Node's major version is not what node_modules was made from. */
export function ensureInstalled() {
  const wanted = hash([
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
    process.platform,
    process.arch,
    process.versions.node.split('.')[0],
  ]);
  const mark = join(root, 'node_modules', '.installed');
  if (read(mark) === wanted) return;
  // npm would empty what the link leads to, which is somebody else's
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    console.error('node_modules is a link to another folder and does not fit this lock file: remove the link first.');
    process.exit(1);
  }
  console.log('Installing packages (the first time this takes about a minute)...');
  const npm = process.env.npm_execpath;
  const [command, args] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const done = spawnSync(command, [...args, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (done.status !== 0) {
    console.error('Installing failed; the lines above say why. Running the same command again is safe.');
    process.exit(1);
  }
  writeFileSync(mark, wanted);
}

/** Builds the server and the console when their sources differ from what dist was made from. */
export function ensureBuilt() {
  const sources = [
    ...['apps', 'libs', 'rolldown.config.js', 'scripts/packages-inside.mjs', 'tsconfig.json', 'tsconfig.base.json'],
    ...['package.json', 'package-lock.json'],
  ];
  const wanted = hash(
    sources.flatMap((path) => [...files(join(root, path))]).flatMap((file) => [file, readFileSync(file)]),
  );
  const mark = join(root, 'dist', '.built');
  if (read(mark) === wanted) return;
  bundle('rolldown.config.js');
  orGiveUp(buildConsole());
  compress(join(root, 'dist', 'console'));
  mkdirSync(dirname(mark), { recursive: true });
  writeFileSync(mark, wanted);
}

/** Runs Rolldown with this configuration; where it fails, nothing goes on. */
export function bundle(config) {
  const rolldown = join(root, 'node_modules', 'rolldown', 'bin', 'cli.mjs');
  orGiveUp(
    spawnSync(process.execPath, [rolldown, '-c', config, '--logLevel', 'warn'], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
}

function orGiveUp({ status }) {
  if (status === 0) return;
  console.error('Building failed; the lines above say why.');
  process.exit(1);
}

function buildConsole() {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const config = join(root, 'apps', 'console', 'vite.config.js');
  return spawnSync(process.execPath, [vite, 'build', '--config', config, '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
}

/** A .br and .gz beside every text file, so that no request pays for compressing. */
function compress(folder) {
  for (const file of files(folder)) {
    if (!/\.(js|css|svg|html)$/.test(file)) continue;
    const text = readFileSync(file);
    writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }));
    writeFileSync(`${file}.br`, brotliCompressSync(text));
  }
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
