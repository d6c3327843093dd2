import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join, relative } from 'node:path';

/**
 * Allows one process per folder (docs/adr/0017). It is plain JavaScript on Node's own modules, because `npm start` takes
 * the lock before it installs or builds anything.
 *
 * Each process listens on a Unix socket with a random name in `<folder>/lock` and only then checks the other sockets. The
 * kernel accepts a connection exactly as long as the process behind a socket exists, so a lock left by `kill -9` ends
 * with its process, and process ids are never compared. If two processes check at the same time, at least one of them
 * sees the other, and the smaller name goes first.
 */
const SOCKET = '.sock';
const DRAFT = '.draft';
/** Time-out for a response. A process that does not respond (stopped, or busy) still holds its folder. */
const ANSWER_TIMEOUT_MS = 8_000;
const TURN_MS = 50;
const TURNS_MAX = 200;
/** Maximum age of a draft. It is renamed within milliseconds, and an older draft was left by a killed process. */
const DRAFT_AGE_MAX_MS = 60_000;
/** Limit of sun_path on Linux (108) and macOS (104), including the terminating zero. */
const SOCKET_PATH_BYTES_MAX = 103;
/** Key of the process's locks. The product's bundle contains a second copy of this module, which must find the lock of `npm start`. */
const LOCKS = Symbol.for('moorage.folder-locks');

export class FolderInUse extends Error {
  name = 'FolderInUse';
  constructor(folder, holder) {
    const who = holder === undefined ? 'A process that does not answer' : subjectOf(holder);
    super(`${who} already uses the data folder ${folder}: stop it first, or set DATA_DIR to another folder.`);
    this.holder = holder;
  }
}

const subjectOf = ({ pid, use }) => `${use === 'command' ? 'An operations command' : 'Moorage'} (process ${pid})`;

export async function lockFolder(folder, use) {
  mkdirSync(folder, { recursive: true });
  const real = realpathSync(folder);
  const locks = (globalThis[LOCKS] ??= new Map());
  const own = locks.get(real);
  if (own !== undefined) return own;

  const sockets = join(real, 'lock');
  mkdirSync(sockets, { recursive: true });
  const paths = socketPaths(sockets);
  const name = randomBytes(8).toString('hex');
  let state = 'wants';
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(JSON.stringify({ pid: process.pid, use, state }));
  });
  const release = () => {
    locks.delete(real);
    rmSync(join(sockets, name + SOCKET), { force: true });
    server.close(paths.close);
  };
  try {
    await listening(server, paths.of(name + DRAFT), real);
    // Visible only once it accepts connections, because a socket that refuses belongs to a process that has ended.
    renameSync(join(sockets, name + DRAFT), join(sockets, name + SOCKET));
    for (let turn = 0; state !== 'holds'; turn++) {
      const others = await lookAt(sockets, paths, name);
      const holder = others.find((other) => other.state === 'holds' || other.state === 'silent');
      if (holder !== undefined || turn === TURNS_MAX) throw new FolderInUse(folder, holder?.facts);
      const first = others.find((other) => other.state === 'wants' && other.name < name);
      if (first !== undefined) state = 'yields';
      // A process that had yielded may take the lock only after another check, because others did not count it meanwhile.
      else if (state === 'yields') state = 'wants';
      else if (others.every((other) => other.state === 'yields')) state = 'holds';
      if (state !== 'holds') await new Promise((resolve) => setTimeout(resolve, TURN_MS));
    }
  } catch (error) {
    release();
    throw error;
  }
  removeOldDrafts(sockets, name);
  server.unref();
  const lock = { folder: real, release };
  locks.set(real, lock);
  return lock;
}

/** Returns the other processes that want or hold the folder. Sockets of processes that have ended are removed. */
async function lookAt(sockets, paths, name) {
  const names = readdirSync(sockets).filter((file) => file.endsWith(SOCKET) && file !== name + SOCKET);
  const found = await Promise.all(
    names.map(async (file) => ({ name: file.slice(0, -SOCKET.length), ...(await ask(paths.of(file))) })),
  );
  // A name is never used twice, so a socket that refused once is never used again.
  for (const other of found) if (other.state === 'ended') rmSync(join(sockets, other.name + SOCKET), { force: true });
  return found.filter((other) => other.state !== 'ended');
}

function ask(path) {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(path);
    socket.setEncoding('utf8').setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy());
    socket.on('data', (chunk) => (text += chunk));
    socket.on('error', ({ code }) =>
      resolve({ state: ['ECONNREFUSED', 'ENOENT'].includes(code) ? 'ended' : 'silent' }),
    );
    socket.on('close', () => {
      try {
        const { state, ...facts } = JSON.parse(text);
        resolve({ state, facts });
      } catch {
        resolve({ state: 'silent' });
      }
    });
  });
}

function listening(server, path, folder) {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new Error(`The data folder ${folder} cannot be locked (${cause.code}): set DATA_DIR to another folder.`, {
          cause,
        }),
      ),
    );
    server.listen(path, resolve);
  });
}

/** Shortens long paths, because socket addresses are silently truncated at about a hundred bytes. */
function socketPaths(folder) {
  const isShort = (start) => Buffer.byteLength(join(start, `${'0'.repeat(16)}${DRAFT}`)) <= SOCKET_PATH_BYTES_MAX;
  const start = [folder, relative(process.cwd(), folder)].find(isShort);
  if (start !== undefined) return { of: (file) => join(start, file), close: () => undefined };
  if (process.platform !== 'linux') {
    throw new Error(`The path of the data folder is too long to be locked: ${folder}`);
  }
  const fd = openSync(folder, 'r');
  return { of: (file) => `/proc/self/fd/${fd}/${file}`, close: () => closeSync(fd) };
}

function removeOldDrafts(sockets, name) {
  for (const file of readdirSync(sockets)) {
    if (!file.endsWith(DRAFT) || file.startsWith(name)) continue;
    const made = statSync(join(sockets, file), { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - made > DRAFT_AGE_MAX_MS) rmSync(join(sockets, file), { force: true });
  }
}
