import type { Clock, Db } from '@moorage/server';
import { parse } from 'yaml';

/** A simulated machine, kept in its row: what it boots with comes from the user-data, everything else from what was done. */
export interface HostState {
  /** OpenSSH private key that its sshd shows. */
  host_key: string;
  /** Path -> file; folders are listed too. */
  readonly files: Record<string, HostFile>;
  /** Compose projects by folder. */
  readonly projects: Record<string, HostProject>;
  /** Names and values that the scripts leave behind (markers, run numbers). */
  readonly marks: Record<string, string>;
}

export interface HostFile {
  readonly folder?: true;
  readonly mode: number;
  /** base64; absent for folders. */
  readonly data?: string;
}

export interface HostProject {
  /** Service -> state. */
  readonly services: Record<string, 'running' | 'stopped'>;
}

export const AUTHORIZED_KEYS = '/root/.ssh/authorized_keys';

/** A living server's machine; null when the server is gone or has not booted. */
export interface HostRow {
  readonly id: number;
  readonly address: string;
  readonly ref: string;
  readonly state: HostState;
}

interface Row {
  readonly id: number;
  readonly address: string;
  readonly ref: string;
  readonly user_data: string;
  readonly host: Partial<HostState>;
}

const SELECT = `select id, host(address) as address, labels ->> 'deployment' as ref, user_data, host from sandbox_servers where state <> 'gone'`;

/** The simulated machines of all processes. */
export class Hosts {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
  ) {}

  /** A living server's machine; null when there is none. */
  find(where: { address: string } | { id: number }): Promise<HostRow | null> {
    return this.db.tx('sandbox.host', async (tx) => {
      const [row] =
        'id' in where
          ? await tx.query<Row & { ready_at: number }>(
              `${SELECT.replace('user_data', 'user_data, ready_at')} and id = $1`,
              [where.id],
            )
          : await tx.query<Row & { ready_at: number }>(
              `${SELECT.replace('user_data', 'user_data, ready_at')} and address = $1::inet`,
              [where.address],
            );
      if (row === undefined || row.ready_at > (await this.clock.now(tx))) return null;
      return { id: row.id, address: row.address, ref: row.ref, state: stateOf(row) };
    });
  }

  /** One change under the row's lock. Throws when the server is gone meanwhile. */
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

/** A machine as it is after its first boot. */
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

/** cloud-init's part: the injected host key and who may log in. */
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
