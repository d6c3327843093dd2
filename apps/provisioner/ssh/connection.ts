import { connect as connectTcp, type Socket } from 'node:net';
import ssh2, { type Client, type ConnectConfig, type PublicKeyAuthMethod, type ServerHostKeyAlgorithm } from 'ssh2';
import { type Message, SERVER_CHECK_MESSAGES } from '@moorage/domain';
import { type Clock, sshFingerprint } from '@moorage/server';
import { within } from './deadline';
import { type Dialer, SshError, type SshTarget } from './types';

/** A logged-in client. `lost` resolves (and never rejects) when the connection has ended for any reason. */
export interface Connection {
  readonly client: Client;
  readonly hostKey: string;
  readonly lost: Promise<SshError>;
  /** Returns why the connection has ended, or null while it is open. */
  over(): SshError | null;
  end(): void;
}

/**
 * Keepalive settings. A keepalive is sent every `ask_ms`. After `silence_ms` without any data, the host counts as gone.
 */
export interface Patience {
  readonly prompt_ms: number;
  readonly silence_ms: number;
}
export const PATIENCE: Patience = { prompt_ms: 10_000, silence_ms: 30_000 };

/** Accepted signatures per type of host key, preferred first. */
const HOST_KEY_TYPES: Readonly<Record<string, readonly ServerHostKeyAlgorithm[]>> = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256'],
};

/** Algorithms offered by OpenSSH of the last ten years, without SHA-1, CBC and plain RSA signatures. */
const ALGORITHMS: NonNullable<ConnectConfig['algorithms']> = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
  ],
  cipher: [
    'chacha20-poly1305@openssh.com',
    'aes256-gcm@openssh.com',
    'aes128-gcm@openssh.com',
    'aes256-ctr',
    'aes192-ctr',
    'aes128-ctr',
  ],
  hmac: [
    'hmac-sha2-256-etm@openssh.com',
    'hmac-sha2-512-etm@openssh.com',
    // Some hardening guides for servers with AES-CTR leave only these.
    'hmac-sha2-256',
    'hmac-sha2-512',
  ],
  compress: ['none'],
};

const METHODS_SHOWN = 4;

/** Handshake errors of ssh2, each with the algorithm that an owner may add if both sides have none in common. */
const NOTHING_IN_COMMON: readonly (readonly [words: RegExp, remedy: Message])[] = [
  [/no matching key exchange/, SERVER_CHECK_MESSAGES.no_key_exchange({ ours: 'curve25519-sha256' })],
  [/no matching host key/, SERVER_CHECK_MESSAGES.no_host_key_type({ ours: 'ssh-ed25519' })],
  [/no matching \S+ cipher/, SERVER_CHECK_MESSAGES.no_cipher({ ours: 'aes256-gcm@openssh.com' })],
  [/no matching \S+ MAC/, SERVER_CHECK_MESSAGES.no_mac({ ours: 'hmac-sha2-256-etm@openssh.com' })],
];

/** Opens a connection. This is the only place in the product that creates an SSH client. */
export async function openConnection(
  target: SshTarget,
  { dialer, clock, patience }: { dialer: Dialer; clock: Clock; patience: Patience },
): Promise<Connection> {
  let socket: Socket | undefined;
  const stop = (): void => void socket?.destroy();
  const attempt = async (types: readonly string[]): Promise<Connection> => {
    const { host, port } = await dialer.dial(target.address, target.port).catch((error: unknown) => {
      throw noConnection(error);
    });
    socket = await openSocket(host, port, (created) => (socket = created));
    return logIn(target, socket, { clock, patience, types });
  };
  try {
    return await within(clock, target, 'connecting', stop, withPinnedType(attempt));
  } catch (error) {
    stop();
    throw error;
  }
}

/**
 * Tries the types of host keys in turn. A server may have a key of a preferred type in addition to the pinned key, and
 * a fingerprint does not reveal its type. OpenSSH, too, offers the known type first.
 */
async function withPinnedType(attempt: (types: readonly string[]) => Promise<Connection>): Promise<Connection> {
  let types = Object.keys(HOST_KEY_TYPES);
  let changed: HostKeyChanged | null = null;
  for (;;) {
    try {
      return await attempt(types);
    } catch (error) {
      const isOther = error instanceof HostKeyChanged;
      // The server has no key of the remaining types.
      if (changed !== null && !isOther && error instanceof SshError && error.kind === 'protocol') throw changed;
      if (!isOther) throw error;
      changed ??= error;
      const left = types.filter((type) => type !== error.type);
      if (left.length === 0 || left.length === types.length) throw changed;
      types = left;
    }
  }
}

class HostKeyChanged extends SshError {
  constructor(
    fingerprint: string,
    /** Fingerprint of the key that the server presented. */
    readonly type: string,
  ) {
    super('host_key_changed', 'the server presents another host key than the pinned one', fingerprint);
  }
}

function noConnection(error: unknown): SshError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return new SshError('unreachable', `no connection: ${code}`);
}

function openSocket(host: string, port: number, created: (socket: Socket) => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host, port });
    created(socket);
    socket.setNoDelay(true);
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
    socket.once('error', (error) => reject(noConnection(error)));
    socket.once('close', () => reject(new SshError('unreachable', 'no connection: closed')));
  });
}

function logIn(
  target: SshTarget,
  socket: Socket,
  { clock, patience, types }: { clock: Clock; patience: Patience; types: readonly string[] },
): Promise<Connection> {
  const client = new ssh2.Client();
  const login: PublicKeyAuthMethod = { type: 'publickey', username: target.user, key: target.privateKey };
  let refusedBy: Refusal | null = null;
  let shown = '';
  let refusal: SshError | null = null;
  let ready = false;
  let ended: SshError | null = null;
  const verify = (key: Buffer): boolean => {
    shown = sshFingerprint(key);
    if ('pinOnFirstUse' in target.hostKey) {
      target.hostKey.pinOnFirstUse(shown);
      return true;
    }
    if (target.hostKey.pinned.includes(shown)) return true;
    refusal = new HostKeyChanged(shown, typeOf(key));
    return false;
  };

  return new Promise((resolve, reject) => {
    const stopWatch = watchSilence(socket, clock, patience);
    let reportLost: (error: SshError) => void = () => undefined;
    const lost = new Promise<SshError>((settle) => (reportLost = settle));
    const over = (error: SshError): void => {
      ended ??= error;
      stopWatch();
      socket.destroy();
      reportLost(error);
      if (!ready) reject(error);
    };
    client.on('ready', () => {
      ready = true;
      resolve({
        client,
        hostKey: shown,
        lost,
        over: () => ended,
        end: () => over(new SshError('lost', 'closed by the platform')),
      });
    });
    client.on('error', (error: Error & { level?: string }) => over(refusal ?? named(error, refusedBy)));
    client.on('close', () => over(refusal ?? new SshError('lost', 'the server closed the connection')));
    client.connect({
      sock: socket,
      username: target.user,
      // Called once more after a rejection, but there is no other method.
      authHandler: (methods, isPartial) => {
        if (methods === null) return login;
        refusedBy = { methods, isPartial };
        return false;
      },
      hostVerifier: verify,
      algorithms: { ...ALGORITHMS, serverHostKey: types.flatMap((type) => HOST_KEY_TYPES[type] ?? []) },
      readyTimeout: 0,
      // Only sends keepalives. `watchSilence` decides when the host is gone.
      keepaliveInterval: patience.prompt_ms,
      keepaliveCountMax: 1_000_000,
    });
  });
}

/** Returns the type of a key, which begins with the length and the name of the type (RFC 4253). */
const typeOf = (key: Buffer): string => key.toString('latin1', 4, 4 + key.readUInt32BE(0));

/** Response of the server to our key. */
interface Refusal {
  /** Authentication methods that may continue. */
  readonly methods: readonly string[];
  /** Whether our key was accepted but a further method is required. */
  readonly isPartial: boolean;
}

function named(error: Error & { level?: string }, refusedBy: Refusal | null): SshError {
  const message = error.message.slice(0, 200);
  if (error.level === 'client-authentication') return new SshError('key_refused', message, null, remedyOf(refusedBy));
  const isTalk = error.level === 'handshake' || error.level === 'protocol';
  const [, remedy = null] = NOTHING_IN_COMMON.find(([words]) => words.test(message)) ?? [];
  return new SshError(isTalk ? 'protocol' : 'lost', message, null, remedy);
}

/** Returns what the owner can change, or null if the server does not state the reason. */
function remedyOf(refusedBy: Refusal | null): Message | null {
  if (refusedBy === null) return null;
  const { methods, isPartial } = refusedBy;
  if (isPartial) {
    const wanted = methods.filter((method) => /^[a-z-]{1,40}$/.test(method)).slice(0, METHODS_SHOWN);
    return SERVER_CHECK_MESSAGES.key_alone({ methods: wanted.join(', ') });
  }
  return methods.includes('publickey') ? null : SERVER_CHECK_MESSAGES.no_keys;
}

/** Counts the received bytes here, because ssh2's own count also restarts when nothing was received. */
function watchSilence(socket: Socket, clock: Clock, { silence_ms }: Patience): () => void {
  const check_interval_ms = silence_ms / 6;
  let heard = -1;
  let silent_ms = 0;
  const stop = clock.every(
    check_interval_ms,
    async () => {
      silent_ms = socket.bytesRead === heard ? silent_ms + check_interval_ms : 0;
      heard = socket.bytesRead;
      if (silent_ms >= silence_ms) socket.destroy(new Error('no data received for too long'));
    },
    () => undefined,
  );
  return () => void stop();
}
