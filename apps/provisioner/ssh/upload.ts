import { posix } from 'node:path';
import type { Client, SFTPWrapper, Stats } from 'ssh2';
import { type HostFile, isFolder, SshError } from './types';

const CHUNK_BYTES = 32 * 1024;
const FOLDER_MODE = 0o755;
const NO_SUCH_FILE = 2;

/** Opens one SFTP channel. Every failure is an SshError `files`. */
export async function openSftp(client: Client): Promise<Sftp> {
  const wrapper = await call<SFTPWrapper>('sftp', (done) => client.sftp(done));
  return sftpOf(wrapper);
}

export interface Sftp {
  /** Returns the folder in which SFTP starts, which is the user's home. */
  home(): Promise<string>;
  /** Creates one folder in an existing folder. */
  folder(path: string, mode: number): Promise<void>;
  /**
   * Creates missing parent folders, writes the file under a temporary name and renames it. `suffix` makes that name
   * unique.
   */
  write(file: HostFile, suffix: string): Promise<void>;
  end(): void;
}

function sftpOf(sftp: SFTPWrapper): Sftp {
  const created = new Set<string>(['/', '.']);

  async function makeFolder(path: string, mode: number): Promise<void> {
    if (created.has(path)) return;
    if (!(await exists(path))) {
      await makeFolder(posix.dirname(path), FOLDER_MODE);
      // Another process may have created it in the meantime.
      await call('mkdir', (done) => sftp.mkdir(path, { mode }, done)).catch(async (error: unknown) => {
        if (!(await exists(path))) throw error;
      });
    }
    created.add(path);
  }

  async function exists(path: string): Promise<boolean> {
    try {
      await call<Stats>('stat', (done) => sftp.stat(path, done));
      return true;
    } catch (error) {
      if (error instanceof SftpError && error.code === NO_SUCH_FILE) return false;
      throw error;
    }
  }

  async function writeBeside(path: string, { content, mode }: HostFile): Promise<void> {
    // With wx, a planted link is not followed.
    const handle = await call<Buffer>('open', (done) => sftp.open(path, 'wx', { mode: 0o600 }, done));
    try {
      const bytes = Buffer.from(content, 'utf8');
      for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
        const length = Math.min(CHUNK_BYTES, bytes.length - at);
        await call('write', (done) => sftp.write(handle, bytes, at, length, at, done));
      }
      await call('fsetstat', (done) => sftp.fsetstat(handle, { mode }, done));
    } finally {
      await call('close', (done) => sftp.close(handle, done));
    }
  }

  /**
   * Renames a file. OpenSSH's plain rename fails if the target exists, but its own extension replaces it atomically.
   */
  async function rename(from: string, to: string): Promise<void> {
    try {
      await call('posix-rename', (done) => sftp.ext_openssh_rename(from, to, done));
    } catch (error) {
      if (error instanceof SftpError) throw error;
      await call('rename', (done) => sftp.rename(from, to, done));
    }
  }

  return {
    folder: async (path, mode) => {
      if (!(await exists(path))) await call('mkdir', (done) => sftp.mkdir(path, { mode }, done));
      created.add(path);
    },
    home: () => call<string>('realpath', (done) => sftp.realpath('.', done)),
    async write(file, suffix) {
      if (isFolder(file)) {
        const path = file.path.slice(0, -1);
        await makeFolder(path, file.mode);
        await call('chmod', (done) => sftp.chmod(path, file.mode, done));
        return;
      }
      await makeFolder(posix.dirname(file.path), FOLDER_MODE);
      const beside = `${file.path}.${suffix}.part`;
      try {
        await writeBeside(beside, file);
        await rename(beside, file.path);
      } catch (error) {
        await call('unlink', (done) => sftp.unlink(beside, done)).catch(() => undefined);
        throw error;
      }
    },
    end: () => sftp.end(),
  };
}

class SftpError extends SshError {
  constructor(
    message: string,
    readonly code: number | null,
  ) {
    super('files', message);
  }
}

/**
 * Wraps a callback in a promise. A synchronous exception (for an extension that the server lacks) rejects with that
 * error instead of an SftpError.
 */
function call<T = void>(what: string, start: (done: (error?: Error | null, value?: T) => void) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, value) => {
      if (error === undefined || error === null) return resolve(value as T);
      const code = (error as { code?: unknown }).code;
      reject(new SftpError(`${what}: ${error.message.slice(0, 200)}`, typeof code === 'number' ? code : null));
    });
  });
}
