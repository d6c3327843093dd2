import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join, relative } from 'node:path';

/**
 * One process per folder (docs/adr/0017). Plain JavaScript on Node's own modules, because `npm start` takes the lock
 * before it installs or builds anything.
 *
 * Each process listens on a Unix socket of a random name in `<folder>/lock` and only then looks at the others': the
 * kernel accepts a connection exactly as long as the process behind a socket exists, so a lock left by `kill -9` ends
 * with its process, and no process number is ever compared. Of two that look at the same time at least one sees the
 * other; the smaller name goes first.
 */
const SOCKET = '.sock';
const DRAFT = '.draft';
/** A process that does not answer (stopped, or busy) holds its folder all the same. */
const ANSWER_TIMEOUT_MS = 8_000;
const TURN_MS = 50;
const TURNS_MAX = 200;
/** A draft is renamed within milliseconds; an older one was left by a killed process. */
const DRAFT_AGE_MAX_MS = 60_000;
/** sun_path of Linux (108) and macOS (104), with its terminating zero. */
const SOCKET_PATH_BYTES_MAX = 103;
/** The product's bundle holds a second copy of this module, which must find the lock that `npm start` took. */
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
    // visible only now that it is accepting: a socket that refuses belongs to a process that has ended
    renameSync(join(sockets, name + DRAFT), join(sockets, name + SOCKET));
    for (let turn = 0; state !== 'holds'; turn++) {
      const others = await lookAt(sockets, paths, name);
      const holder = others.find((other) => other.state === 'holds' || other.state === 'silent');
      if (holder !== undefined || turn === TURNS_MAX) throw new FolderInUse(folder, holder?.facts);
      const first = others.find((other) => other.state === 'wants' && other.name < name);
      if (first !== undefined) state = 'yields';
      // whoever had yielded may take the lock only after another look: it was not counted meanwhile
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

/** The other processes that want, or have, the folder. A socket that nobody serves any more is removed. */
async function lookAt(sockets, paths, name) {
  const names = readdirSync(sockets).filter((file) => file.endsWith(SOCKET) && file !== name + SOCKET);
  const found = await Promise.all(
    names.map(async (file) => ({ name: file.slice(0, -SOCKET.length), ...(await ask(paths.of(file))) })),
  );
  // a name is never used twice, so what refused once is nobody's for ever
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

/** Addresses of sockets have room for a hundred bytes and are cut silently: a long path is named in a shorter way. */
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
