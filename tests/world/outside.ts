import type { CertificateCheck, DnsCheck, HostScriptName, Ssh, SshSession } from '@moorage/provisioner';
import { SshError } from '@moorage/provisioner';
import type { Random } from '@moorage/server';
import type { Scheduler, TestDatabase, VirtualClock } from '@moorage/testing';

/**
 * What lies outside of our processes and survives their crashes: the machines behind addresses, the records of domains,
 * the certificates. (The clouds are the sandbox's: rows.) Every call gives way before and after, so others come in between.
 */
export interface Outside {
  readonly ssh: Ssh;
  readonly dns: DnsCheck;
  readonly certificates: CertificateCheck;
  readonly hosts: ReadonlyMap<string, Host>;
  /** A machine of a customer's, with a host key of its own. */
  addOwnServer(address: string): Host;
  /** The owner sets the records of a domain right. */
  setRecords(domain: string, right: boolean): void;
  /** From now on nothing fails by chance; of the machines that are off most are switched on again. */
  heal(): void;
  /** As it is now, for another world to begin with. */
  snapshot(): OutsideState;
  /** As it was then. */
  restore(state: OutsideState): void;
}

export interface OutsideState {
  readonly hosts: readonly Host[];
  readonly records: readonly (readonly [domain: string, right: boolean])[];
}

export interface Host {
  readonly address: string;
  readonly own: boolean;
  /** `SHA256:...` as it shows it now; null: a new server that was never reached shows the one it was born with. */
  key: string | null;
  next_key: string | null;
  /** ref -> the highest run number seen there. */
  readonly runs: Map<string, number>;
  /** Refs whose software runs there. */
  readonly stacks: Set<string>;
  /** Refs whose volumes and data lie there. */
  readonly data: Set<string>;
  on: boolean;
  access: boolean;
}

/** Probability that a call does not come through, and that its answer is lost after it did. */
const UNREACHABLE = 0.04;
const LOST = 0.04;
const NOT_YET = 0.3;

export function createOutside({
  scheduler,
  clock,
  random,
  database,
  from = { hosts: [], records: [] },
}: {
  scheduler: Scheduler;
  clock: VirtualClock;
  random: Random;
  database: TestDatabase;
  from?: OutsideState;
}): Outside {
  const hosts = new Map(from.hosts.map((host) => [host.address, structuredClone(host)]));
  const records = new Map(from.records);
  let faulty = true;
  const chance = (probability: number): boolean => random.fraction() < probability && faulty;

  function hostAt(address: string, own: boolean): Host {
    const known = hosts.get(address);
    if (known !== undefined) return known;
    const host: Host = {
      address,
      own,
      key: own ? `SHA256:own-${address}` : null,
      next_key: null,
      runs: new Map(),
      stacks: new Set(),
      data: new Set(),
      on: true,
      access: own,
    };
    hosts.set(address, host);
    return host;
  }

  /** A server of ours answers while the sandbox says that it runs. */
  async function bootedAt(address: string, now: number): Promise<boolean> {
    const rows = await database.sql(
      `select 1 from sandbox_servers where address = $1::inet and state <> 'gone' and ready_at <= $2`,
      [address, new Date(now).toISOString()],
    );
    return rows.length > 0;
  }

  function effect(host: Host, ref: string, name: HostScriptName, args: Readonly<Record<string, unknown>>): object {
    const state = { services: [{ name: 'app', state: 'running', health: 'healthy', restarts: 0 }] };
    switch (name) {
      case 'place':
      case 'authorise-key':
        return {};
      case 'preflight':
        return { results: [], ipv6: false, ipv6_address: null, arch: 'x86_64', os: 'Debian 12' };
      case 'bootstrap':
        return { docker: '27.0', installed_docker: true };
      case 'host-key':
        if (args.act === 'prepare') host.next_key ??= `SHA256:renewed-${host.address}`;
        else host.key = host.next_key;
        return { host_key_sha256: host.next_key };
      case 'start-stack':
      case 'start-router':
      case 'restart-stack':
        host.stacks.add(ref);
        host.data.add(ref);
        return state;
      case 'check-health':
        return { ...state, checks: [] };
      case 'router-log':
        return { acme_error: null };
      case 'remove-stack':
        host.stacks.delete(ref);
        if (args.data === 'remove') host.data.delete(ref);
        return { left: [] };
      case 'remove-access':
        host.access = false;
        return { left: [] };
    }
  }

  function session(host: Host, hostKey: string, place: { ref: string; run_number: number } | 'check'): SshSession {
    const ref = place === 'check' ? 'check' : place.ref;
    return {
      hostKey,
      async run(name, args) {
        await scheduler.pause(`ssh.${name}`);
        if (!host.on) throw new SshError('lost', 'switched off');
        if (place !== 'check') {
          const seen = host.runs.get(ref) ?? 0;
          if (place.run_number < seen) return { ok: false, code: 'OVERTAKEN', facts: null, exit: 1, output: '' };
          host.runs.set(ref, place.run_number);
        }
        const facts = effect(host, ref, name, args) as never;
        await scheduler.pause(`ssh.${name}.done`);
        if (chance(LOST)) throw new SshError('lost', 'the answer was lost');
        return { ok: true, code: 'DONE', facts, exit: 0, output: '' };
      },
      async upload() {
        await scheduler.pause('ssh.upload');
        if (!host.on || chance(LOST)) throw new SshError('lost', 'cut in the middle');
        return this.run('place', { from: '' }, { deadline_ms: 1_000 });
      },
      close: () => Promise.resolve(),
    };
  }

  return {
    hosts,
    addOwnServer: (address) => hostAt(address, true),
    setRecords: (domain, right) => void records.set(domain, right),
    heal() {
      faulty = false;
      for (const host of hosts.values()) host.on ||= random.fraction() < 0.8;
    },
    restore(state) {
      hosts.clear();
      for (const host of state.hosts) hosts.set(host.address, structuredClone(host));
      records.clear();
      for (const [domain, right] of state.records) records.set(domain, right);
    },
    snapshot: () => ({ hosts: structuredClone([...hosts.values()]), records: [...records] }),

    ssh: {
      async connect(target) {
        await scheduler.pause('ssh.connect');
        const known = hosts.get(target.address);
        const up = known?.own === true ? known.on : await bootedAt(target.address, clock.at);
        if (!up || chance(UNREACHABLE)) throw new SshError('unreachable', 'no answer');
        const host = known ?? hostAt(target.address, false);
        if (host.own && !host.access) throw new SshError('key_refused', 'no such key');
        const pinned = 'pinned' in target.hostKey ? target.hostKey.pinned : null;
        const shown = host.key ?? pinned?.[0] ?? 'SHA256:unknown';
        if (pinned !== null && !pinned.includes(shown)) throw new SshError('host_key_changed', 'another key', shown);
        if ('pinOnFirstUse' in target.hostKey) target.hostKey.pinOnFirstUse(shown);
        return session(host, shown, target.place);
      },
    },

    dns: {
      async look({ hosts: asked, ipv4 }) {
        await scheduler.pause('dns.look');
        const right = (host: string): boolean =>
          [...records].some(([domain, set]) => set && (host === domain || host.endsWith(`.${domain}`)));
        const looks = asked.map(({ host, required }) => ({
          host,
          type: 'A' as const,
          value: ipv4 ?? '',
          required,
          right: right(host),
          problem: right(host) ? null : ('none' as const),
          reason: right(host) ? null : `${host} leads nowhere yet.`,
          seen: [],
        }));
        return { all_right: looks.every((look) => look.right || !look.required), records: looks };
      },
    },

    certificates: {
      async look({ host }) {
        await scheduler.pause('certificate.look');
        return chance(NOT_YET)
          ? {
              verdict: 'not_issued',
              reason: `${host} has no certificate yet.`,
              issuer: null,
              names: [],
              expires_at: null,
            }
          : { verdict: 'good', reason: null, issuer: 'the authority', names: [host], expires_at: null };
      },
      probe: () => Promise.resolve({ ok: true, status: 200, reason: null }),
    },
  };
}
