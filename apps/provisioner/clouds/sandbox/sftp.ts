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

/**
 * Serves SFTP on the file tree of the row. A file appears as a whole when it is closed. Handles are valid for the
 * session.
 */
export function serveSftp(sftp: SFTPWrapper, hosts: Hosts, hostId: number): void {
  const handles = new Map<number, OpenFile | { readonly path: string; listed: boolean }>();
  let last = 0;
  const handleOf = (id: number): Buffer => {
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(id);
    return handle;
  };
  const opened = (handle: Buffer): OpenFile | null => {
    const found = handles.get(handle.length === 4 ? handle.readUInt32BE(0) : -1);
    return found !== undefined && 'data' in found ? found : null;
  };
  const read = async <T>(check: (state: HostState) => T): Promise<T> => {
    const host = await hosts.find({ id: hostId });
    if (host === null) throw new Error('the server is gone');
    return check(host.state);
  };
  /** Responds to every request in any case, because a missing response would hang the client. */
  const answer = (request: number, work: Promise<number | null>): void => {
    work.then(
      (status) => status !== null && sftp.status(request, status),
      () => sftp.status(request, STATUS_CODE.FAILURE),
    );
  };
  const stat = (request: number, path: string): void =>
    answer(
      request,
      read((state) => state.files[plain(path)]).then((file) => {
        if (file === undefined) return STATUS_CODE.NO_SUCH_FILE;
        sftp.attrs(request, attributes(file));
        return null;
      }),
    );

  sftp.on('REALPATH', (request, path) => {
    const full = plain(path === '.' ? '/root' : path);
    sftp.name(request, [{ filename: full, longname: full, attrs: attributes({ mode: 0o755, folder: true }) }]);
  });
  sftp.on('STAT', stat);
  sftp.on('LSTAT', stat);
  sftp.on('FSTAT', (request, handle) => {
    const file = opened(handle);
    if (file === null) return sftp.status(request, STATUS_CODE.FAILURE);
    sftp.attrs(request, attributes({ mode: file.mode, data: file.data.toString('base64') }));
  });
  sftp.on('OPEN', (request, path, flags, attrs) => {
    const full = plain(path);
    const writes = (flags & OPEN_MODE.WRITE) !== 0;
    answer(
      request,
      read((state) => ({ file: state.files[full], folder: state.files[dirname(full)] })).then(({ file, folder }) => {
        if (file?.folder === true || folder?.folder !== true) return STATUS_CODE.NO_SUCH_FILE;
        if (file === undefined && !writes) return STATUS_CODE.NO_SUCH_FILE;
        const fresh = (flags & OPEN_MODE.TRUNC) !== 0 || file === undefined;
        const mode = file?.mode ?? (attrs.mode ?? 0o644) & 0o7777;
        handles.set(++last, {
          path: full,
          writes,
          mode,
          data: fresh ? Buffer.alloc(0) : Buffer.from(file.data ?? '', 'base64'),
        });
        sftp.handle(request, handleOf(last));
        return null;
      }),
    );
  });
  sftp.on('READ', (request, handle, offset, length) => {
    const file = opened(handle);
    if (file === null) return sftp.status(request, STATUS_CODE.FAILURE);
    if (offset >= file.data.length) return sftp.status(request, STATUS_CODE.EOF);
    sftp.data(request, file.data.subarray(offset, offset + length));
  });
  sftp.on('WRITE', (request, handle, offset, data) => {
    const file = opened(handle);
    if (file === null || !file.writes) return sftp.status(request, STATUS_CODE.FAILURE);
    const grown = Buffer.alloc(Math.max(file.data.length, offset + data.length));
    file.data.copy(grown);
    data.copy(grown, offset);
    file.data = grown;
    sftp.status(request, STATUS_CODE.OK);
  });
  sftp.on('CLOSE', (request, handle) => {
    const file = opened(handle);
    handles.delete(handle.length === 4 ? handle.readUInt32BE(0) : -1);
    if (file === null || !file.writes) return sftp.status(request, STATUS_CODE.OK);
    answer(
      request,
      hosts.change(hostId, (state) => {
        state.files[file.path] = { mode: file.mode, data: file.data.toString('base64') };
        return STATUS_CODE.OK;
      }),
    );
  });
  sftp.on('MKDIR', (request, path, attrs) => {
    const full = plain(path);
    answer(
      request,
      hosts.change(hostId, (state) => {
        if (state.files[full] !== undefined || state.files[dirname(full)]?.folder !== true) return STATUS_CODE.FAILURE;
        state.files[full] = { folder: true, mode: (attrs.mode ?? 0o755) & 0o7777 };
        return STATUS_CODE.OK;
      }),
    );
  });
  const setMode = (request: number, path: string, attrs: Attributes): void =>
    answer(
      request,
      hosts.change(hostId, (state) => {
        const file = state.files[plain(path)];
        if (file === undefined) return STATUS_CODE.NO_SUCH_FILE;
        if (typeof attrs.mode === 'number') state.files[plain(path)] = { ...file, mode: attrs.mode & 0o7777 };
        return STATUS_CODE.OK;
      }),
    );
  sftp.on('SETSTAT', setMode);
  sftp.on('FSETSTAT', (request, handle, attrs) => {
    const file = opened(handle);
    if (file === null) return sftp.status(request, STATUS_CODE.FAILURE);
    if (typeof attrs.mode === 'number') file.mode = attrs.mode & 0o7777;
    sftp.status(request, STATUS_CODE.OK);
  });
  const rename = (request: number, from: string, to: string): void =>
    answer(
      request,
      hosts.change(hostId, (state) => {
        const file = state.files[plain(from)];
        if (file === undefined) return STATUS_CODE.NO_SUCH_FILE;
        for (const path of Object.keys(state.files)) {
          if (path !== plain(from) && !path.startsWith(`${plain(from)}/`)) continue;
          const moved = state.files[path];
          if (moved !== undefined) state.files[plain(to) + path.slice(plain(from).length)] = moved;
          delete state.files[path];
        }
        return STATUS_CODE.OK;
      }),
    );
  sftp.on('RENAME', rename);
  sftp.on('EXTENDED', (request, name, data) => {
    if (name !== 'posix-rename@openssh.com') return sftp.status(request, STATUS_CODE.OP_UNSUPPORTED);
    const [from, to] = twoStrings(data);
    if (from === undefined || to === undefined) return sftp.status(request, STATUS_CODE.BAD_MESSAGE);
    rename(request, from, to);
  });
  const remove = (request: number, path: string): void =>
    answer(
      request,
      hosts.change(hostId, (state) => {
        if (state.files[plain(path)] === undefined) return STATUS_CODE.NO_SUCH_FILE;
        delete state.files[plain(path)];
        return STATUS_CODE.OK;
      }),
    );
  sftp.on('REMOVE', remove);
  sftp.on('RMDIR', remove);
  sftp.on('OPENDIR', (request, path) => {
    answer(
      request,
      read((state) => state.files[plain(path)]?.folder === true).then((there) => {
        if (!there) return STATUS_CODE.NO_SUCH_FILE;
        handles.set(++last, { path: plain(path), listed: false });
        sftp.handle(request, handleOf(last));
        return null;
      }),
    );
  });
  sftp.on('READDIR', (request, handle) => {
    const folder = handles.get(handle.length === 4 ? handle.readUInt32BE(0) : -1);
    if (folder === undefined || 'data' in folder) return sftp.status(request, STATUS_CODE.FAILURE);
    if (folder.listed) return sftp.status(request, STATUS_CODE.EOF);
    folder.listed = true;
    answer(
      request,
      read((state) =>
        Object.entries(state.files).filter(([path]) => path !== '/' && dirname(path) === folder.path),
      ).then((found) => {
        sftp.name(
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
  });
}

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
