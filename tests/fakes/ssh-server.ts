import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2, { type AuthContext, type Connection, type ServerChannel, type SFTPWrapper } from 'ssh2';
import { type Clock, type Log, SILENT, seededRandom, sshKeyPair, systemClock, systemRandom } from '@moorage/server';
import { STACK_ROOT, STATE_ROOT, stateFolder } from '@moorage/provisioner/ssh/command';
import type { HostScripts } from '@moorage/provisioner/ssh/scripts';
import { type Patience, PATIENCE } from '@moorage/provisioner/ssh/connection';
import { SshClient } from '@moorage/provisioner/ssh/ssh-client.service';
import { HOST_SCRIPTS, type HostScriptName } from '@moorage/provisioner/ssh/host-scripts';
import type { Dialer, HostKeyPolicy, HostPlace, Ssh, SshTarget } from '@moorage/provisioner/ssh/types';

export const TEST_REF = 'abcdefghijklmnop';

/** An SSH server on loopback with a temporary folder as its disk and a test that responds to its commands. */
export interface FakeHost {
  readonly port: number;
  /** `SHA256:...` */
  readonly hostKey: string;
  /** Path of the host's `/`. */
  readonly disk: string;
  readonly commands: string[];
  /** Raw sockets of all connections, to cut or silence them. */
  readonly sockets: Socket[];
  logins: number;
  /** Processes that `inShell` has started. */
  readonly children: ChildProcess[];
  /** Ends all connections and processes. */
  reboot(): void;
  stop(): Promise<void>;
}

export type Execute = (command: string, channel: ServerChannel, host: FakeHost) => void;

export const respond =
  (line: string, exit: number): Execute =>
  (_, channel) => {
    channel.write(`${line}\n`);
    channel.exit(exit);
    channel.end();
  };

/**
 * Runs the command in a real shell, with the host's folders below its temporary disk. As under sshd, the command
 * continues when the connection ends, without its outputs. `before` runs before each command.
 */
export const inShell =
  (before: (command: string) => Promise<void> = () => Promise.resolve()): Execute =>
  (command, channel, host) => {
    const onDisk = (text: string): string =>
      text.replaceAll(STATE_ROOT, join(host.disk, STATE_ROOT)).replaceAll(STACK_ROOT, join(host.disk, STACK_ROOT));
    let script = '';
    channel.on('data', (data: Buffer) => (script += data.toString()));
    channel.on('end', () => {
      void before(command).then(() => {
        const state = join(host.disk, stateFolder(TEST_REF));
        for (const incoming of readdirSync(state).filter((name) => name.startsWith('incoming-'))) {
          const list = join(state, incoming, 'list');
          const text = readFileSync(list, 'utf8');
          if (!text.includes(host.disk)) writeFileSync(list, onDisk(text));
        }
        const child = spawn('sh', ['-c', onDisk(command)], { detached: true });
        host.children.push(child);
        child.stdin.on('error', () => undefined);
        child.stdin.end(onDisk(script));
        child.stdout.on('data', (data: Buffer) => channel.write(data));
        child.stderr.on('data', (data: Buffer) => channel.stderr.write(data));
        child.on('close', (code) => {
          channel.exit(code ?? 255);
          channel.end();
        });
        channel.on('close', () => {
          child.stdout.destroy();
          child.stderr.destroy();
        });
      });
    });
  };

export async function fakeHost({
  authorised,
  execute = respond('{"ok":true,"code":"DONE","acme_errors":[]}', 0),
  home = '/root',
  algorithms = {},
  hostKeys = [],
  refuse = (context) => context.reject(['publickey']),
  alsoKey = false,
}: {
  authorised: string;
  execute?: Execute;
  home?: string;
  algorithms?: object;
  /** Additional private host keys. */
  hostKeys?: readonly string[];
  /** Responds to a login without the authorised key. With `alsoKey`, also to a login with it. */
  refuse?: (context: AuthContext) => void;
  alsoKey?: boolean;
}): Promise<FakeHost> {
  const key = sshKeyPair(systemRandom());
  const disk = mkdtempSync(join(tmpdir(), 'moorage-host-'));
  // State after a preflight.
  for (const folder of [home, stateFolder(TEST_REF)]) mkdirSync(join(disk, folder), { recursive: true });
  const allowed = Buffer.from(authorised.split(' ')[1] ?? '', 'base64');
  const server = new ssh2.Server({ hostKeys: [key.privateKey, ...hostKeys], algorithms }, (client: Connection) => {
    client.on('error', () => undefined);
    client.on('authentication', (context) => {
      if (!alsoKey && context.method === 'publickey' && context.key.data.equals(allowed)) return context.accept();
      refuse(context);
    });
    client.on('ready', () => {
      host.logins += 1;
    });
    client.on('session', (accept) => {
      const session = accept();
      session.on('sftp', (acceptSftp) => serveFiles(acceptSftp(), disk, home));
      session.on('exec', (acceptExec, _, { command }) => {
        host.commands.push(command);
        execute(command, acceptExec(), host);
      });
    });
  });
  const host: FakeHost = {
    port: 0,
    hostKey: key.fingerprint,
    disk,
    commands: [],
    sockets: [],
    logins: 0,
    children: [],
    reboot: () => {
      for (const { pid } of host.children.splice(0)) if (pid !== undefined) endSession(pid);
      for (const socket of host.sockets) socket.destroy();
    },
    stop: async () => {
      host.reboot();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      rmSync(disk, { recursive: true, force: true });
    },
  };
  // ssh2 hides the socket of a connection, but its inner server exposes it.
  (server as unknown as { _srv: { on(event: 'connection', done: (socket: Socket) => void): void } })._srv.on(
    'connection',
    (socket) => {
      socket.setNoDelay(true);
      host.sockets.push(socket);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(host, { port: (server.address() as AddressInfo).port });
}

/** Kills a command and all its processes in any process group, which are all processes of its session. */
function endSession(leader: number): void {
  const members = readdirSync('/proc').filter((entry) => /^[0-9]+$/.test(entry) && sessionOf(entry) === leader);
  for (const pid of members) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch (error) {
      // It has ended in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

function sessionOf(pid: string): number | null {
  try {
    const [, , , session] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return Number(session);
  } catch {
    return null;
  }
}

const { OK, FAILURE, NO_SUCH_FILE } = ssh2.utils.sftp.STATUS_CODE;

function serveFiles(sftp: SFTPWrapper, disk: string, home: string): void {
  const at = (path: string): string => join(disk, path);
  const attempt = (id: number, work: () => void): void => {
    try {
      work();
      sftp.status(id, OK);
    } catch (error) {
      sftp.status(id, (error as NodeJS.ErrnoException).code === 'ENOENT' ? NO_SUCH_FILE : FAILURE);
    }
  };
  const attributes = (id: number, path: string): void => {
    try {
      const { mode, uid, gid, size, atimeMs, mtimeMs } = statSync(at(path));
      sftp.attrs(id, { mode, uid, gid, size, atime: atimeMs / 1_000, mtime: mtimeMs / 1_000 });
    } catch {
      sftp.status(id, NO_SUCH_FILE);
    }
  };
  const open = new Map<string, number>();
  const fileOf = (handle: Buffer): number => open.get(handle.toString()) ?? -1;
  sftp.on('REALPATH', (id, path) =>
    sftp.name(id, [{ filename: path === '.' ? home : path, longname: '', attrs: {} as never }]),
  );
  sftp.on('STAT', attributes);
  sftp.on('LSTAT', attributes);
  sftp.on('MKDIR', (id, path, { mode }) => attempt(id, () => void mkdirSync(at(path), { mode })));
  sftp.on('SETSTAT', (id, path, { mode }) => attempt(id, () => chmodSync(at(path), mode)));
  sftp.on('REMOVE', (id, path) => attempt(id, () => unlinkSync(at(path))));
  sftp.on('RENAME', (id, from, to) => attempt(id, () => renameSync(at(from), at(to))));
  sftp.on('OPEN', (id, path, flags) => {
    try {
      const file = openSync(at(path), ssh2.utils.sftp.flagsToString(flags) ?? 'r', 0o600);
      open.set(String(file), file);
      sftp.handle(id, Buffer.from(String(file)));
    } catch {
      sftp.status(id, FAILURE);
    }
  });
  sftp.on('WRITE', (id, handle, offset, data) =>
    attempt(id, () => void writeSync(fileOf(handle), data, 0, data.length, offset)),
  );
  sftp.on('FSETSTAT', (id, _handle, _attributes) => sftp.status(id, OK));
  sftp.on('CLOSE', (id, handle) => attempt(id, () => closeSync(fileOf(handle))));
}

/** Scripts of one line each. A fake host decides what they would do. */
export const EMPTY_SCRIPTS: HostScripts = {
  of: Object.fromEntries(HOST_SCRIPTS.map((name) => [name, `# ${name}\n`])) as Record<HostScriptName, string>,
};

const TO_LOOPBACK: Dialer = { dial: (_, port) => Promise.resolve({ host: '127.0.0.1', port }) };

export function testSsh({
  scripts = EMPTY_SCRIPTS,
  patience = PATIENCE,
  clock = systemClock(),
  log = SILENT,
  dialer = TO_LOOPBACK,
}: { scripts?: HostScripts; patience?: Patience; clock?: Clock; log?: Log; dialer?: Dialer } = {}): Ssh {
  return new SshClient(dialer, scripts, clock, seededRandom(1), log, { patience });
}

export function target(
  host: Pick<FakeHost, 'port' | 'hostKey'>,
  privateKey: string,
  more: { user?: string; hostKey?: HostKeyPolicy; place?: HostPlace; deadline_ms?: number } = {},
): SshTarget {
  return {
    address: '203.0.113.7',
    port: host.port,
    user: 'root',
    privateKey,
    hostKey: { pinned: [host.hostKey] },
    place: { ref: TEST_REF, run_number: 7 },
    deadline_ms: 45_000,
    ...more,
  };
}
