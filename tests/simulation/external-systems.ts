import { asStored, type Instant, MINUTE_MS, SECOND_MS } from '@moorage/domain';
import {
  type CertificateCheck,
  type DnsCheck,
  halfOf,
  type HostCommand,
  type HostState,
  isFolder,
  STORED_ANSWERS,
  newHost,
  readAnswer,
  type ScriptAnswer,
  type Ssh,
  SshError,
  type SshSession,
  type SshTarget,
  messageOf,
  workOf,
} from '@moorage/provisioner';
import { createHostActivity, type HostActivity, MemoryCopies, type UnderWay } from '../services/provisioner';
import type { Random } from '@moorage/server';
import type { TestDatabase } from '@moorage/testing';
import type { Scheduler } from './world/scheduler';
import type { VirtualClock } from './world/virtual-clock';

/**
 * Everything outside of our processes that survives their crashes, which is the machines at addresses, DNS records and
 * certificates. (The clouds are rows of the sandbox.) Every call yields before and after, so others can run in between.
 * A running script continues on its machine, even if the caller ends.
 */
export interface ExternalSystems {
  readonly ssh: Ssh;
  readonly dns: DnsCheck;
  readonly certificates: CertificateCheck;
  readonly hosts: ReadonlyMap<string, Host>;
  /** Target of the machines' backups. */
  readonly copies: MemoryCopies;
  /** Adds a customer's own machine with a separate host key. */
  addOwnServer(address: string): Host;
  /** Sets the records of a domain to correct or incorrect values, like its owner. */
  setRecords(domain: string, right: boolean): void;
  /** Turns a machine off or on. Running scripts end as in a reboot. */
  switchOver(host: Host): void;
  /**
   * Reboots a machine. Running scripts are interrupted. After about a minute it is available again with everything that
   * ran before.
   */
  readonly reboot: (host: Host) => void;
  /** Fills the disk of a machine, or frees space again. */
  fillDisk(host: Host, full: boolean): void;
  /** Applies a fault at the next script, either when it is requested or while it is running. */
  strikeNext(moment: 'requested' | 'at work', strike: (host: Host) => void): void;
  /** Ends all random failures, frees space on disks, and turns most machines that are off back on. */
  heal(): void;
  /** Completes scripts that have reached their end time, before machines are inspected. */
  settle(): void;
  /** Returns the current state, for another simulation to start with. */
  snapshot(): OutsideState;
  /** Restores an earlier state. */
  restore(state: OutsideState): void;
}

export interface OutsideState {
  readonly hosts: readonly Host[];
  readonly records: readonly (readonly [domain: string, right: boolean])[];
}

export interface Host {
  readonly address: string;
  readonly own: boolean;
  /**
   * Current host key as `SHA256:...`. Null for a new server that was never reached, which still has its original key.
   */
  key: string | null;
  next_key: string | null;
  /** Files, running stacks, and the run numbers and results that scripts left. */
  readonly state: HostState;
  on: boolean;
  /** Time at which it has booted. */
  up_at: Instant;
  /** Number of boots. Each ends all connections. */
  boots: number;
  access: boolean;
}

/** Events of machines and clouds. */
export type OutsideNote =
  | 'forgot everything' // a cloud
  | 'full disk'
  | 'went on' // after the caller's connection broke
  | 'ended unheard'
  | 'told busy'
  | 'overtaken'
  | 'answer kept'
  | 'rebooted'
  | 'cut by a reboot'
  | 'refused by a full disk'
  | 'removed from a full disk';

/**
 * Probabilities that a connection fails, that an upload is cut, and that the caller does not receive the end of a
 * script.
 */
const UNREACHABLE = 0.04;
const CUT = 0.04;
const BROKEN = 0.12;
const BROKEN_OFTEN = 0.5;
const NOT_YET = 0.3;
const BOOT_MS_MAX = 90 * SECOND_MS;
/** Probability that a machine that is off is turned on again at the end. */
const ON_AGAIN = 0.8;
/**
 * Maximum duration of a script without a connected caller, unless its machine ends it. With a connected caller it ends
 * when the caller is drawn.
 */
const SCRIPT_MS_MAX = 7 * MINUTE_MS;
const SCRIPT_MS_MAX_HEALED = 2 * SECOND_MS;
/** Place of a check, which belongs to no deployment. */
const CHECK = { ref: 'check-0000000000000000', run_number: 0, step: undefined } as const;

export function createOutside({
  scheduler,
  clock,
  random,
  database,
  from = { hosts: [], records: [] },
  note = () => undefined,
  breaking = false,
}: {
  scheduler: Scheduler;
  clock: VirtualClock;
  random: Random;
  database: TestDatabase;
  from?: OutsideState;
  note?: (what: OutsideNote) => void;
  /** Breaks every second connection during a script, and makes scripts take their maximum time. */
  breaking?: boolean;
}): ExternalSystems {
  const copies = new MemoryCopies();
  const hosts = new Map(from.hosts.map((host) => [host.address, structuredClone(host)]));
  const records = new Map(from.records);
  const activities = new Map<string, HostActivity>();
  const strikes: Record<'requested' | 'at work', ((host: Host) => void)[]> = { requested: [], 'at work': [] };
  let faulty = true;
  const chance = (probability: number): boolean => random.fraction() < probability && faulty;

  const longest = (): number => (faulty ? SCRIPT_MS_MAX : SCRIPT_MS_MAX_HEALED);

  function hostAt(address: string, own: boolean): Host {
    const known = hosts.get(address);
    if (known !== undefined) return known;
    const host: Host = {
      address,
      own,
      key: own ? `SHA256:own-${address}` : null,
      next_key: null,
      state: newHost('{}'),
      on: true,
      up_at: clock.at,
      boots: 0,
      access: own,
    };
    hosts.set(address, host);
    return host;
  }

  /** Returns whether a server of ours responds, which it does while the sandbox reports it as running. */
  async function bootedAt(address: string, now: number): Promise<boolean> {
    const rows = await database.sql(
      `select 1 from sandbox_servers where address = $1::inet and state <> 'gone' and ready_at <= $2`,
      [address, new Date(now).toISOString()],
    );
    return rows.length > 0;
  }

  function activityAt({ address }: Host): HostActivity {
    const known = activities.get(address) ?? createHostActivity();
    activities.set(address, known);
    return known;
  }

  /** Runs a script like the product's simulated machines, except for keys, which are only names here. */
  function work(host: Host, call: HostCommand): ScriptAnswer {
    if (call.name === 'host-key') {
      if (call.args.act === 'prepare') host.next_key ??= `SHA256:renewed-${host.address}`;
      else host.key = host.next_key;
      return { line: { ok: true, code: 'DONE', host_key_sha256: host.next_key }, exit: 0 };
    }
    const answer = workOf(host.state, call, { refused: [], copies, now: clock.at });
    if (call.name === 'remove-access' && answer.exit === 0) host.access = false;
    return answer;
  }

  function boot(host: Host): void {
    host.boots++;
    host.up_at = clock.at + random.fraction() * BOOT_MS_MAX;
    for (const _ of activityAt(host).reboot()) note('cut by a reboot');
  }

  function session(host: Host, hostKey: string, place: SshTarget['place']): SshSession {
    const { boots } = host;
    const { ref: folder, run_number: runNumber, step } = place === 'check' ? CHECK : place;
    const activity = activityAt(host);
    const stillThere = (): void => {
      if (!host.on || host.boots !== boots) throw new SshError('lost', 'switched off');
    };

    /** Waits until the script ends, during which it holds the lock. Returns null if its result is unknown. */
    async function untilItEnds(call: HostCommand, deadline_ms: number): Promise<ScriptAnswer | null> {
      let answer: ScriptAnswer | null = null;
      let heard = false;
      const script: UnderWay = {
        until: clock.at + (breaking && faulty ? deadline_ms : random.fraction() * Math.min(deadline_ms, longest())),
        work: () => {
          answer = work(host, call);
          if (!heard) note('ended unheard');
        },
        half: () => halfOf(host.state, call),
      };
      activity.goOn(folder, script);
      const breaks = chance(breaking ? BROKEN_OFTEN : BROKEN);
      strikes['at work'].shift()?.(host);
      await scheduler.pause(`ssh.${call.name}.done`);
      stillThere();
      if (breaks) {
        note('went on');
        throw new SshError('lost', 'cut in the middle');
      }
      heard = true;
      activity.end(folder, script);
      return answer;
    }

    return {
      hostKey,
      async run(name, args, { deadline_ms }) {
        await scheduler.pause(`ssh.${name}`);
        stillThere();
        if (runNumber > 0) strikes.requested.shift()?.(host);
        const words = messageOf(args);
        const asking = step !== undefined && STORED_ANSWERS.includes(name) ? { ...words, step } : words;
        const call = { folder, name, runNumber, seconds: Math.ceil(deadline_ms / SECOND_MS), args: asking };
        const printed = activity.begin(host.state, call, clock.at);
        if (printed !== null) noteOf(printed);
        else if (activity.full) note('removed from a full disk');
        const answer = printed ?? (runNumber === 0 ? work(host, call) : await untilItEnds(call, deadline_ms));
        const read = answer === null ? null : readAnswer(name, JSON.stringify(answer.line));
        if (answer === null || read === null) throw new Error(`the simulated ${name} returned no valid result`);
        return { ...read, exit: answer.exit, output: '' };
      },
      async upload(files, limits) {
        await scheduler.pause('ssh.upload');
        stillThere();
        const cut = chance(CUT);
        if (activity.full) note('refused by a full disk');
        const from = activity.transfer(host.state, cut ? files.filter((file) => !isFolder(file)).slice(1) : files, {
          folder,
          runNumber,
        });
        if (cut) throw new SshError('lost', 'cut in the middle');
        return this.run('place', from, limits);
      },
      close: () => Promise.resolve(),
    };
  }

  function noteOf({ line }: ScriptAnswer): void {
    if (line.code === 'BUSY') note('told busy');
    else if (line.code === 'DISK_FULL') note('refused by a full disk');
    else if (line.code === 'OVERTAKEN') note('overtaken');
    else if (line.ok === true) note('answer kept');
  }

  return {
    hosts,
    copies,
    addOwnServer: (address) => hostAt(address, true),
    setRecords: (domain, right) => void records.set(domain, right),
    switchOver(host) {
      host.on = !host.on;
      if (!host.on) boot(host);
    },
    reboot(host) {
      note('rebooted');
      boot(host);
    },
    fillDisk: (host, full) => activityAt(host).fill(full),
    strikeNext: (moment, strike) => void strikes[moment].push(strike),
    heal() {
      faulty = false;
      strikes.requested = [];
      strikes['at work'] = [];
      for (const activity of activities.values()) activity.fill(false);
      for (const host of hosts.values()) host.on ||= random.fraction() < ON_AGAIN;
    },
    settle() {
      for (const activity of activities.values()) activity.settle(clock.at);
    },
    restore(state) {
      activities.clear();
      hosts.clear();
      for (const host of state.hosts) hosts.set(host.address, structuredClone(host));
      records.clear();
      for (const [domain, right] of state.records) records.set(domain, right);
    },
    snapshot() {
      if ([...activities.values()].some(({ locked, full }) => full || locked.length > 0))
        throw new Error('something is under way at a machine: that is not kept');
      return { hosts: structuredClone([...hosts.values()]), records: [...records] };
    },

    ssh: {
      async connect(target) {
        await scheduler.pause('ssh.connect');
        const known = hosts.get(target.address);
        const up = known?.own === true ? known.on : await bootedAt(target.address, clock.at);
        if (!up || (known?.up_at ?? 0) > clock.at || chance(UNREACHABLE))
          throw new SshError('unreachable', 'no answer');
        const host = known ?? hostAt(target.address, false);
        activityAt(host).settle(clock.at);
        if (host.own && !host.access) throw new SshError('key_refused', 'no such key');
        const pinned = 'pinned' in target.hostKey ? target.hostKey.pinned : null;
        const shown = host.key ?? pinned?.[0] ?? 'SHA256:unknown';
        if (pinned !== null && !pinned.includes(shown)) throw new SshError('host_key_changed', 'another key', shown);
        if ('pinOnFirstUse' in target.hostKey) target.hostKey.pinOnFirstUse(shown);
        return session(host, shown, target.place);
      },
    },

    dns: {
      async check({ hosts: requested, ipv4 }) {
        await scheduler.pause('dns.read');
        const right = (host: string): boolean =>
          [...records].some(([domain, set]) => set && (host === domain || host.endsWith(`.${domain}`)));
        const looks = requested.map(({ host, required }) => ({
          host,
          type: 'A' as const,
          value: ipv4 ?? '',
          required,
          right: right(host),
          problem: right(host) ? null : ('none' as const),
          reason: right(host) ? null : asStored(`${host} leads nowhere yet.`),
          seen: [],
        }));
        return { all_right: looks.every((readState) => readState.right || !readState.required), records: looks };
      },
    },

    certificates: {
      async check({ host }) {
        await scheduler.pause('certificate.read');
        return chance(NOT_YET)
          ? {
              verdict: 'not_issued',
              reason: asStored(`${host} has no certificate yet.`),
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
