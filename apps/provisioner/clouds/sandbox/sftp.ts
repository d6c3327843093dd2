import { dirname, posix } from 'node:path';
import ssh2 from 'ssh2';
import type { Attributes, SFTPWrapper } from 'ssh2';
import type { HostFile, Hosts, HostState } from './host-state';

const { STATUS_CODE, OPEN_MODE } = ssh2.utils.sftp;
const FOLDER_BIT = 0o040000;
const FILE_BIT = 0o100000;

interface OpenFile {
  readonly path: string;
  readonly writes: boolean;
  mode: number;
  data: Buffer;
}

interface OpenFolder {
  readonly path: string;
  listed: boolean;
}

/** Serves SFTP on the file tree of the row. */
export function serveSftp(sftp: SFTPWrapper, hosts: Hosts, hostId: number): void {
  new SftpSession(sftp, hosts, hostId).serve();
}

/** An SFTP session. A file appears as a whole when it is closed. Handles are valid for the session. */
class SftpSession {
  private readonly handles = new Map<number, OpenFile | OpenFolder>();
  private lastHandle = 0;

  constructor(
    private readonly sftp: SFTPWrapper,
    private readonly hosts: Hosts,
    private readonly hostId: number,
  ) {}

  serve(): void {
    this.serveAttributes();
    this.serveFiles();
    this.servePaths();
    this.serveFolders();
  }

  private serveAttributes(): void {
    const { sftp } = this;
    sftp.on('REALPATH', (request, path) => {
      const full = plain(path === '.' ? '/root' : path);
      sftp.name(request, [{ filename: full, longname: full, attrs: attributes({ mode: 0o755, folder: true }) }]);
    });
    sftp.on('STAT', (request, path) => this.stat(request, path));
    sftp.on('LSTAT', (request, path) => this.stat(request, path));
    sftp.on('FSTAT', (request, handle) => {
      const file = this.openFile(handle);
      if (file === null) return sftp.status(request, STATUS_CODE.FAILURE);
      sftp.attrs(request, attributes({ mode: file.mode, data: file.data.toString('base64') }));
    });
    sftp.on('SETSTAT', (request, path, attrs) =>
      this.change(request, (state) => {
        const file = state.files[plain(path)];
        if (file === undefined) return STATUS_CODE.NO_SUCH_FILE;
        if (typeof attrs.mode === 'number') state.files[plain(path)] = { ...file, mode: attrs.mode & 0o7777 };
        return STATUS_CODE.OK;
      }),
    );
    sftp.on('FSETSTAT', (request, handle, attrs) => {
      const file = this.openFile(handle);
      if (file === null) return sftp.status(request, STATUS_CODE.FAILURE);
      if (typeof attrs.mode === 'number') file.mode = attrs.mode & 0o7777;
      sftp.status(request, STATUS_CODE.OK);
    });
  }

  private serveFiles(): void {
    const { sftp } = this;
    sftp.on('OPEN', (request, path, flags, attrs) => this.open(request, plain(path), { flags, attrs }));
    sftp.on('READ', (request, handle, offset, length) => {
      const file = this.openFile(handle);
      if (file === null) return sftp.status(request, STATUS_CODE.FAILURE);
      if (offset >= file.data.length) return sftp.status(request, STATUS_CODE.EOF);
      sftp.data(request, file.data.subarray(offset, offset + length));
    });
    sftp.on('WRITE', (request, handle, offset, data) => {
      const file = this.openFile(handle);
      if (file === null || !file.writes) return sftp.status(request, STATUS_CODE.FAILURE);
      const grown = Buffer.alloc(Math.max(file.data.length, offset + data.length));
      file.data.copy(grown);
      data.copy(grown, offset);
      file.data = grown;
      sftp.status(request, STATUS_CODE.OK);
    });
    sftp.on('CLOSE', (request, handle) => {
      const file = this.openFile(handle);
      this.handles.delete(idOf(handle));
      if (file === null || !file.writes) return sftp.status(request, STATUS_CODE.OK);
      this.change(request, (state) => {
        state.files[file.path] = { mode: file.mode, data: file.data.toString('base64') };
        return STATUS_CODE.OK;
      });
    });
  }

  private servePaths(): void {
    const { sftp } = this;
    sftp.on('RENAME', (request, from, to) => this.rename(request, plain(from), plain(to)));
    sftp.on('EXTENDED', (request, name, data) => {
      if (name !== 'posix-rename@openssh.com') return sftp.status(request, STATUS_CODE.OP_UNSUPPORTED);
      const [from, to] = twoStrings(data);
      if (from === undefined || to === undefined) return sftp.status(request, STATUS_CODE.BAD_MESSAGE);
      this.rename(request, plain(from), plain(to));
    });
    sftp.on('REMOVE', (request, path) => this.remove(request, plain(path)));
    sftp.on('RMDIR', (request, path) => this.remove(request, plain(path)));
  }

  private serveFolders(): void {
    const { sftp } = this;
    sftp.on('MKDIR', (request, path, attrs) => {
      const full = plain(path);
      this.change(request, (state) => {
        if (state.files[full] !== undefined || state.files[dirname(full)]?.folder !== true) return STATUS_CODE.FAILURE;
        state.files[full] = { folder: true, mode: (attrs.mode ?? 0o755) & 0o7777 };
        return STATUS_CODE.OK;
      });
    });
    sftp.on('OPENDIR', (request, path) => {
      this.answer(
        request,
        this.read((state) => state.files[plain(path)]?.folder === true).then((there) => {
          if (!there) return STATUS_CODE.NO_SUCH_FILE;
          this.sendHandle(request, { path: plain(path), listed: false });
          return null;
        }),
      );
    });
    sftp.on('READDIR', (request, handle) => {
      const folder = this.handles.get(idOf(handle));
      if (folder === undefined || 'data' in folder) return sftp.status(request, STATUS_CODE.FAILURE);
      if (folder.listed) return sftp.status(request, STATUS_CODE.EOF);
      folder.listed = true;
      this.list(request, folder.path);
    });
  }

  private stat(request: number, path: string): void {
    this.answer(
      request,
      this.read((state) => state.files[plain(path)]).then((file) => {
        if (file === undefined) return STATUS_CODE.NO_SUCH_FILE;
        this.sftp.attrs(request, attributes(file));
        return null;
      }),
    );
  }

  private open(request: number, path: string, { flags, attrs }: { flags: number; attrs: Attributes }): void {
    const writes = (flags & OPEN_MODE.WRITE) !== 0;
    this.answer(
      request,
      this.read((state) => ({ file: state.files[path], folder: state.files[dirname(path)] })).then(
        ({ file, folder }) => {
          if (file?.folder === true || folder?.folder !== true) return STATUS_CODE.NO_SUCH_FILE;
          if (file === undefined && !writes) return STATUS_CODE.NO_SUCH_FILE;
          const fresh = (flags & OPEN_MODE.TRUNC) !== 0 || file === undefined;
          const mode = file?.mode ?? (attrs.mode ?? 0o644) & 0o7777;
          const data = fresh ? Buffer.alloc(0) : Buffer.from(file.data ?? '', 'base64');
          this.sendHandle(request, { path, writes, mode, data });
          return null;
        },
      ),
    );
  }

  private rename(request: number, from: string, to: string): void {
    this.change(request, (state) => {
      if (state.files[from] === undefined) return STATUS_CODE.NO_SUCH_FILE;
      for (const path of Object.keys(state.files)) {
        if (path !== from && !path.startsWith(`${from}/`)) continue;
        const moved = state.files[path];
        if (moved !== undefined) state.files[to + path.slice(from.length)] = moved;
        delete state.files[path];
      }
      return STATUS_CODE.OK;
    });
  }

  private remove(request: number, path: string): void {
    this.change(request, (state) => {
      if (state.files[path] === undefined) return STATUS_CODE.NO_SUCH_FILE;
      delete state.files[path];
      return STATUS_CODE.OK;
    });
  }

  private list(request: number, folder: string): void {
    this.answer(
      request,
      this.read((state) =>
        Object.entries(state.files).filter(([path]) => path !== '/' && dirname(path) === folder),
      ).then((found) => {
        this.sftp.name(
          request,
          found.map(([path, file]) => ({
            filename: posix.basename(path),
            longname: posix.basename(path),
            attrs: attributes(file),
          })),
        );
        return null;
      }),
    );
  }

  private sendHandle(request: number, opened: OpenFile | OpenFolder): void {
    this.handles.set(++this.lastHandle, opened);
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(this.lastHandle);
    this.sftp.handle(request, handle);
  }

  private openFile(handle: Buffer): OpenFile | null {
    const found = this.handles.get(idOf(handle));
    return found !== undefined && 'data' in found ? found : null;
  }

  private async read<T>(check: (state: HostState) => T): Promise<T> {
    const host = await this.hosts.find({ id: this.hostId });
    if (host === null) throw new Error('the server is gone');
    return check(host.state);
  }

  /** Changes the row, and responds with the returned status. */
  private change(request: number, apply: (state: HostState) => number): void {
    this.answer(request, this.hosts.change(this.hostId, apply));
  }

  /** Responds to every request in any case, because a missing response would hang the client. */
  private answer(request: number, work: Promise<number | null>): void {
    work.then(
      (status) => status !== null && this.sftp.status(request, status),
      () => this.sftp.status(request, STATUS_CODE.FAILURE),
    );
  }
}

/** Returns the number of a handle, or -1 if it has another form. */
const idOf = (handle: Buffer): number => (handle.length === 4 ? handle.readUInt32BE(0) : -1);

function attributes(file: HostFile): Attributes {
  const bit = file.folder === true ? FOLDER_BIT : FILE_BIT;
  return {
    mode: bit | file.mode,
    uid: 0,
    gid: 0,
    size: Buffer.byteLength(file.data ?? '', 'base64'),
    atime: 0,
    mtime: 0,
  };
}

/** Normalises a path so that it has only one spelling, without dots and double or trailing slashes. */
export function plain(path: string): string {
  const full = posix.normalize(path.startsWith('/') ? path : `/root/${path}`);
  return full.length > 1 ? full.replace(/\/$/, '') : full;
}

/** Parses the two length-prefixed strings of a posix-rename request. */
function twoStrings(data: Buffer): string[] {
  const found: string[] = [];
  for (let at = 0; at + 4 <= data.length && found.length < 2;) {
    const length = data.readUInt32BE(at);
    found.push(data.subarray(at + 4, at + 4 + length).toString());
    at += 4 + length;
  }
  return found;
}
