import type { Instant } from '@moorage/domain';
import type { Clock, Db } from '@moorage/server';
import { parse } from 'yaml';
import { OWN } from './own-servers';

/**
 * A simulated machine, stored in its row. It boots with the user data, and everything else results from what was done
 * to it.
 */
export interface HostState {
  /** OpenSSH private host key of its sshd. */
  host_key: string;
  /** Files by path, including folders. */
  readonly files: Record<string, HostFile>;
  /** Compose projects by folder. */
  readonly projects: Record<string, HostProject>;
  /** Names and values that the scripts leave behind, such as markers and run numbers. */
  readonly marks: Record<string, string>;
}

export interface HostFile {
  readonly folder?: true;
  readonly mode: number;
  /** Base64. Absent for folders. */
  readonly data?: string;
}

export interface HostProject {
  /** State by service. */
  readonly services: Record<string, 'running' | 'stopped'>;
}

export const AUTHORIZED_KEYS = '/root/.ssh/authorized_keys';

/** Machine of a live server. Null if the server does not exist, is stopped or has not booted. */
export interface HostRow {
  readonly id: number;
  readonly address: string;
  /** A simulated customer's own server. */
  readonly isOwn: boolean;
  readonly state: HostState;
}

interface Row {
  readonly id: number;
  readonly address: string;
  readonly is_own: boolean;
  readonly user_data: string;
  readonly host: Partial<HostState>;
}

interface Power {
  readonly ready_at: Instant;
  readonly stopped_at: Instant | null;
}

const SELECT = `select id, host(address) as address, provider = '${OWN}' as is_own, user_data, host from sandbox_servers where state <> 'gone'`;
/** Time from which the machine is reachable and, unless null, from which it is stopped. */
const POWER = `user_data, ready_at, (quirks ->> 'stopped_at')::bigint as stopped_at`;

/** The simulated machines of all processes. */
export class Hosts {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
  ) {}

  /** Returns the time of the machines. */
  now(): Instant {
    return this.clock.localNow();
  }

  /** Finds the machine of a live server, or returns null if there is none. */
  find(where: { address: string } | { id: number }): Promise<HostRow | null> {
    return this.db.tx('sandbox.host', async (tx) => {
      const select = SELECT.replace('user_data', POWER);
      const [row] =
        'id' in where
          ? await tx.query<Row & Power>(`${select} and id = $1`, [where.id])
          : await tx.query<Row & Power>(`${select} and address = $1::inet`, [where.address]);
      if (row === undefined) return null;
      const now = await this.clock.now(tx);
      if (row.ready_at > now || (row.stopped_at !== null && row.stopped_at <= now)) return null;
      return { id: row.id, address: row.address, isOwn: row.is_own, state: stateOf(row) };
    });
  }

  /** Applies one change under the row lock. Throws if the server is gone in the meantime. */
  change<T>(id: number, act: (state: HostState) => T): Promise<T> {
    return this.db.tx('sandbox.host_changed', async (tx) => {
      const [row] = await tx.query<Row>(`${SELECT} and id = $1 for update`, [id]);
      if (row === undefined) throw new Error('the server is gone');
      const state = stateOf(row);
      const result = act(state);
      await tx.execute('update sandbox_servers set host = $2 where id = $1', [id, JSON.stringify(state)]);
      return result;
    });
  }
}

function stateOf(row: Row): HostState {
  const { files, projects, marks, host_key } = row.host;
  if (files === undefined) return newHost(row.user_data);
  return { host_key: host_key ?? '', files, projects: projects ?? {}, marks: marks ?? {} };
}

/** Returns a machine in its state after the first boot. */
export function newHost(userData: string): HostState {
  const boot = bootSettings(userData);
  const keys = boot.authorized.map((key) => `${key}\n`).join('');
  return {
    host_key: boot.host_key,
    files: {
      '/': { folder: true, mode: 0o755 },
      '/opt': { folder: true, mode: 0o755 },
      '/root': { folder: true, mode: 0o700 },
      '/root/.ssh': { folder: true, mode: 0o700 },
      '/tmp': { folder: true, mode: 0o1777 },
      '/var': { folder: true, mode: 0o755 },
      '/var/lib': { folder: true, mode: 0o755 },
      [AUTHORIZED_KEYS]: { mode: 0o600, data: Buffer.from(keys).toString('base64') },
    },
    projects: {},
    marks: {},
  };
}

/** Reads the injected host key and the authorized keys from the user data, as cloud-init would. */
function bootSettings(userData: string): { host_key: string; authorized: string[] } {
  const settings = parse(userData) as {
    ssh_keys?: { ed25519_private?: unknown };
    ssh_authorized_keys?: unknown;
  } | null;
  const hostKey = settings?.ssh_keys?.ed25519_private;
  const authorized = settings?.ssh_authorized_keys;
  return {
    host_key: typeof hostKey === 'string' ? hostKey : '',
    authorized: Array.isArray(authorized) ? authorized.filter((key): key is string => typeof key === 'string') : [],
  };
}
