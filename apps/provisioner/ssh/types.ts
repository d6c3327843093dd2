import type { Message } from '@moorage/domain';
import type { Answer, HostScriptName, ScriptArgs } from './host-scripts';

/** One SSH module for the whole product; nothing but `SshClient` opens a connection. */
export abstract class Ssh {
  /** Resolves when the host key was checked and our key accepted; throws SshError. */
  abstract connect(target: SshTarget): Promise<SshSession>;
}

export interface SshTarget {
  readonly address: string;
  readonly port: number;
  /** `root`, or a user with password-less sudo. */
  readonly user: string;
  /** OpenSSH private key, as `sshKeyPair` makes it. */
  readonly privateKey: string;
  readonly hostKey: HostKeyPolicy;
  /** Where on the host this session may write and run. */
  readonly place: HostPlace;
  /** For reaching the server, checking its key and logging in, all together. */
  readonly deadline_ms: number;
  readonly signal?: AbortSignal;
}

/**
 * `pinned`: `SHA256:...` of the keys that are accepted (two while the bootstrap replaces one). `pinOnFirstUse`: only for a
 * server of a user's that was never seen; it is told the fingerprint before our key is offered.
 */
export type HostKeyPolicy =
  { readonly pinned: readonly [string, ...string[]] } | { readonly pinOnFirstUse: (fingerprint: string) => void };

/**
 * A deployment's own folders with the number of the run (the host refuses a lower one than it has seen) and the name of the
 * step that asks (what a script answered to it is kept for the next worker), or a check, which leaves nothing behind.
 */
export type HostPlace = { readonly ref: string; readonly run_number: number; readonly step?: string } | 'check';

export interface SshSession {
  /** `SHA256:...` of the key the server showed. */
  readonly hostKey: string;
  /** Runs our script of that name under the host's lock. Throws SshError; a script's own "no" is an Answer. */
  run<Name extends HostScriptName>(
    name: Name,
    args: ScriptArgs[Name],
    options: { readonly deadline_ms: number; readonly signal?: AbortSignal },
  ): Promise<Answer<Name>>;
  /**
   * Brings the files by SFTP into a folder of this run's own; the script `place` puts them where they belong, under the
   * lock and behind the run's number, each renamed into its place. So nobody reads half a file, and a worker that was
   * overtaken in the middle changes nothing. Paths are absolute and inside the session's place: `/opt/moorage/{ref}/` or
   * `/var/lib/moorage/{ref}/`.
   */
  upload(
    files: readonly HostFile[],
    options: { readonly deadline_ms: number; readonly signal?: AbortSignal },
  ): Promise<Answer<'place'>>;
  /** Never throws; after it the session is of no use. */
  close(): Promise<void>;
}

export interface HostFile {
  readonly path: string;
  readonly content: string;
  /** Permission bits, for example 0o600. Folders are made 0o755 (0o700 below `config/letsencrypt` and the like: see the stack's own list). */
  readonly mode: number;
}

/** A folder is a file without content: `path` ends with `/`, `mode` is the folder's. */
export const isFolder = (file: Pick<HostFile, 'path'>): boolean => file.path.endsWith('/');

/**
 * `unreachable`: no connection. `key_refused`: the server does not take our key. `host_key_changed`: it showed another key
 * than the pinned one; never tried again by itself. `protocol`: it speaks nothing we accept. `deadline`, `aborted`: ours.
 * `lost`: the connection ended in the middle; what was begun may or may not have happened. `no_sudo`: the user may not
 * become root. `files`: SFTP refused (full disk, read-only).
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
    /** For the log; never for the customer. Holds no secret. */
    message: string,
    /** With `host_key_changed`: what the server showed. */
    readonly fingerprint: string | null = null,
    /** What the owner may change in sshd, if the server states why it refused. */
    readonly remedy: Message | null = null,
  ) {
    super(message);
  }
}

/** Where a server's address leads to: itself in production, a loopback listener for the sandbox's servers. */
export abstract class Dialer {
  abstract dial(address: string, port: number): Promise<{ readonly host: string; readonly port: number }>;
}

/** Reaches a server where its address says. */
export class DirectDialer implements Dialer {
  dial(address: string, port: number): Promise<{ host: string; port: number }> {
    return Promise.resolve({ host: address, port });
  }
}
