import ssh2, { type ClientChannel, type SFTPWrapper } from 'ssh2';

/** A command with its standard input, a created folder, or an uploaded file. */
export type Sent =
  | { readonly command: string; readonly input: string }
  | { readonly folder: string }
  | { readonly file: string; readonly content: Buffer };

/** Everything that clients of this process sent over SSH. */
export interface Recording {
  /** One list per connection, in the order of the connections. */
  readonly connections: readonly (readonly Sent[])[];
  /** Maximum number of connections at the same time. */
  readonly open_max: number;
}

/**
 * Records what SSH clients that are created from now on send.
 *
 * @returns A function that ends the recording.
 */
export function recordSsh(): () => Recording {
  const connections: Sent[][] = [];
  let open = 0;
  let open_max = 0;
  const Client = ssh2.Client;
  ssh2.Client = class extends Client {
    constructor() {
      super();
      const sent: Sent[] = [];
      connections.push(sent);
      this.once('ready', () => {
        open += 1;
        open_max = Math.max(open_max, open);
        this.once('close', () => (open -= 1));
      });
      const exec = this.exec.bind(this) as Exec;
      this.exec = ((command: string, done: ExecDone) =>
        exec(command, (error, channel) => {
          if (error === undefined) recordInput(channel, (input) => sent.push({ command, input }));
          done(error, channel);
        })) as typeof this.exec;
      const sftp = this.sftp.bind(this);
      this.sftp = (done: SftpDone) =>
        sftp((error, wrapper) => {
          if (error === undefined) recordFiles(wrapper, sent);
          done(error, wrapper);
        });
    }
  };
  return () => {
    ssh2.Client = Client;
    return { connections, open_max };
  };
}

type ExecDone = (error: Error | undefined, channel: ClientChannel) => void;
type Exec = (command: string, done: ExecDone) => unknown;
type SftpDone = (error: Error | undefined, sftp: SFTPWrapper) => void;

function recordInput(channel: ClientChannel, record: (input: string) => void): void {
  const end = channel.end.bind(channel) as (input: string) => ClientChannel;
  channel.end = ((input: string) => {
    record(input);
    return end(input);
  }) as typeof channel.end;
}

/** Files are written one after the other under a temporary name, and renamed at their end. */
function recordFiles(sftp: SFTPWrapper, sent: Sent[]): void {
  let parts: Buffer[] = [];
  const mkdir = sftp.mkdir.bind(sftp) as (path: string, ...rest: unknown[]) => void;
  sftp.mkdir = (path: string, ...rest: unknown[]) => {
    sent.push({ folder: path });
    mkdir(path, ...rest);
  };
  const write = sftp.write.bind(sftp);
  sftp.write = (handle, bytes, at, length, position, done) => {
    parts.push(bytes.subarray(at, at + length));
    return write(handle, bytes, at, length, position, done);
  };
  const rename = sftp.ext_openssh_rename.bind(sftp);
  sftp.ext_openssh_rename = (from, to, done) => {
    sent.push({ file: to, content: Buffer.concat(parts) });
    parts = [];
    return rename(from, to, done);
  };
}
