import type { Message } from '@moorage/domain';
import type { Answer, HostScriptName, ScriptArgs } from './host-scripts';

/** The only SSH module of the product. Only `SshClient` opens connections. */
export abstract class Ssh {
  /** Resolves when the host key was verified and our key accepted. Throws SshError. */
  abstract connect(target: SshTarget): Promise<SshSession>;
}

export interface SshTarget {
  readonly address: string;
  readonly port: number;
  /** `root`, or a user who may use sudo. */
  readonly user: string;
  /** Password for sudo, if it may ask for one. */
  readonly sudoPassword?: string | null;
  /** OpenSSH private key, as created by `sshKeyPair`. */
  readonly privateKey: string;
  readonly hostKey: HostKeyPolicy;
  /** Place on the host where this session may write and run. */
  readonly place: HostPlace;
  /** Total time to reach the server, verify its key and log in. */
  readonly deadline_ms: number;
  readonly signal?: AbortSignal;
}

/**
 * `pinned` contains the accepted keys as `SHA256:...`, two while the bootstrap replaces one. `pinOnFirstUse` is only
 * for a user's server that is still unknown. It receives the fingerprint before our key is offered.
 */
export type HostKeyPolicy =
  { readonly pinned: readonly [string, ...string[]] } | { readonly pinOnFirstUse: (fingerprint: string) => void };

/**
 * Either a deployment's own folders with the number of the run (the host rejects a lower number than the latest) and
 * the name of the step (under which a script's response is stored for the next worker), or a check, which leaves
 * nothing behind.
 */
export type HostPlace = { readonly ref: string; readonly run_number: number; readonly step?: string } | 'check';

export interface SshSession {
  /** `SHA256:...` of the key that the server presented. */
  readonly hostKey: string;
  /**
   * Runs our script of that name under the host's lock. Throws SshError. A failure reported by the script is an Answer.
   */
  run<Name extends HostScriptName>(
    name: Name,
    args: ScriptArgs[Name],
    options: { readonly deadline_ms: number; readonly signal?: AbortSignal },
  ): Promise<Answer<Name>>;
  /**
   * Uploads the files by SFTP to a folder of this run. The script `place` renames each of them to its place, under the
   * lock and after a check of the run number. Partial files are therefore never visible, and a stale worker changes
   * nothing. Paths are absolute and inside the session's place, `/opt/moorage/{ref}/` or `/var/lib/moorage/{ref}/`.
   */
  upload(
    files: readonly HostFile[],
    options: { readonly deadline_ms: number; readonly signal?: AbortSignal },
  ): Promise<Answer<'place'>>;
  /** Closes the session, which cannot be used any longer. Never throws. */
  close(): Promise<void>;
}

export interface HostFile {
  readonly path: string;
  readonly content: string;
  /**
   * Permission bits, for example 0o600. Folders are created with 0o755, or 0o700 below folders such as
   * `config/letsencrypt` (see the stack's own list).
   */
  readonly mode: number;
}

/**
 * Returns whether the file is a folder. Its `path` ends with `/`, it has no content, and `mode` applies to the folder.
 */
export const isFolder = (file: Pick<HostFile, 'path'>): boolean => file.path.endsWith('/');

/**
 * Kind of an SSH failure.
 *
 * - `unreachable`: No connection.
 * - `key_refused`: The server rejects our key.
 * - `host_key_changed`: The server presented another key than the pinned key. Never retried automatically.
 * - `protocol`: The server supports no accepted algorithm.
 * - `deadline`, `aborted`: Ended by us.
 * - `lost`: The connection ended early, so the command may or may not have run.
 * - `no_sudo`: The user may not become root.
 * - `files`: SFTP failed (full disk, read-only).
 */
export type SshErrorKind =
  | 'unreachable'
  | 'key_refused'
  | 'host_key_changed'
  | 'protocol'
  | 'deadline'
  | 'aborted'
  | 'lost'
  | 'no_sudo'
  | 'files';

export class SshError extends Error {
  override readonly name = 'SshError';
  constructor(
    readonly kind: SshErrorKind,
    /** Details for the log, never for the customer. Contains no secret. */
    message: string,
    /** Key that the server presented, for `host_key_changed`. */
    readonly fingerprint: string | null = null,
    /** Change that the owner can make in sshd, if the server states why it refused. */
    readonly remedy: Message | null = null,
  ) {
    super(message);
  }
}

/**
 * Maps a server's address to the address to connect to. It is the same in production, and a loopback listener for
 * servers of the sandbox.
 */
export abstract class Dialer {
  abstract dial(address: string, port: number): Promise<{ readonly host: string; readonly port: number }>;
}

/** Connects directly to a server's address. */
export class DirectDialer implements Dialer {
  dial(address: string, port: number): Promise<{ host: string; port: number }> {
    return Promise.resolve({ host: address, port });
  }
}
