import { asStored, type Instant, MINUTE_MS, SECOND_MS } from '@moorage/domain';
import {
  type CertificateCheck,
  type DnsCheck,
  halfOf,
  type HostCommand,
  type HostState,
  isFolder,
  KEPT_ANSWERS,
  newHost,
  readAnswer,
  type ScriptAnswer,
  type Ssh,
  SshError,
  type SshSession,
  type SshTarget,
  wordsOf,
  workOf,
} from '@moorage/provisioner';
import { createHostActivity, type HostActivity, MemoryCopies, type UnderWay } from '@moorage/provisioner/testing';
import type { Random } from '@moorage/server';
import type { Scheduler, TestDatabase, VirtualClock } from '@moorage/testing';

/**
 * What lies outside of our processes and survives their crashes: the machines behind addresses, the records of domains,
 * the certificates. (The clouds are the sandbox's: rows.) Every call gives way before and after, so others come in between.
 * A script that was begun goes on at its machine, whatever becomes of whoever asked for it.
 */
export interface Outside {
  readonly ssh: Ssh;
  readonly dns: DnsCheck;
  readonly certificates: CertificateCheck;
  readonly hosts: ReadonlyMap<string, Host>;
  /** Where the machines' backups go. */
  readonly copies: MemoryCopies;
  /** A machine of a customer's, with a host key of its own. */
  addOwnServer(address: string): Host;
  /** The owner sets the records of a domain right. */
  setRecords(domain: string, right: boolean): void;
  /** Off, or on again. What was under way there ends as by a reboot. */
  switchOver(host: Host): void;
  /** Scripts under way end in the middle; after a minute or so it is there again, and what ran there runs. */
  readonly reboot: (host: Host) => void;
  /** Its disk is full, or has room again. */
  fillDisk(host: Host, full: boolean): void;
  /** At the next script: as it is asked for, or while it is at work. */
  strikeNext(moment: 'asked' | 'at work', strike: (host: Host) => void): void;
  /** From now on nothing fails by chance, disks have room, and of the machines that are off most are switched on again. */
  heal(): void;
  /** Scripts whose time is over by now have done their work: before anybody looks at the machines. */
  settle(): void;
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
  /** Its files, the stacks that run there, the run numbers and answers that scripts left. */
  readonly state: HostState;
  on: boolean;
  /** It boots until then. */
  up_at: Instant;
  /** Connections end with each of them. */
  boots: number;
  access: boolean;
}

/** What machines and clouds went through. */
export type OutsideNote =
  | 'forgot everything' // a cloud
  | 'full disk'
  | 'went on' // after the connection of whoever asked broke
  | 'ended unheard'
  | 'told busy'
  | 'overtaken'
  | 'answer kept'
  | 'rebooted'
  | 'cut by a reboot'
  | 'refused by a full disk'
  | 'removed from a full disk';

/** Probability that a connection does not come about, that an upload is cut, and that whoever asked does not hear a script's end. */
const UNREACHABLE = 0.04;
const CUT = 0.04;
const BROKEN = 0.12;
const BROKEN_OFTEN = 0.5;
const NOT_YET = 0.3;
const BOOT_MS_MAX = 90 * SECOND_MS;
/** Hosts that are switched off are put back on in the end, most of them. */
const ON_AGAIN = 0.8;
/** A script whose asker hears it ends when the asker is drawn; any other after so long at most, or when its machine ends it. */
const SCRIPT_MS_MAX = 7 * MINUTE_MS;
const SCRIPT_MS_MAX_HEALED = 2 * SECOND_MS;
/** Of a check: it belongs to no deployment. */
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
  /** Every second connection breaks under a script, and scripts take as long as they may. */
  breaking?: boolean;
}): Outside {
  const copies = new MemoryCopies();
  const hosts = new Map(from.hosts.map((host) => [host.address, structuredClone(host)]));
  const records = new Map(from.records);
  const activities = new Map<string, HostActivity>();
  const strikes: Record<'asked' | 'at work', ((host: Host) => void)[]> = { asked: [], 'at work': [] };
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

  /** A server of ours answers while the sandbox says that it runs. */
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

  /** As the simulated machines of the product do it, but for keys, which are names here. */
  function work(host: Host, call: HostCommand): ScriptAnswer {
    if (call.name === 'host-key') {
      if (call.args.act === 'prepare') host.next_key ??= `SHA256:renewed-${host.address}`;
      else host.key = host.next_key;
      return { line: { ok: true, code: 'DONE', host_key_sha256: host.next_key }, exit: 0 };
    }
    const answer = workOf(host.state, call, { refused: [], copies });
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

    /** It holds the lock until it ends; null: nobody can say how it ended. */
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
        if (runNumber > 0) strikes.asked.shift()?.(host);
        const words = wordsOf(args);
        const asking = step !== undefined && KEPT_ANSWERS.includes(name) ? { ...words, step } : words;
        const call = { folder, name, runNumber, seconds: Math.ceil(deadline_ms / SECOND_MS), args: asking };
        const said = activity.begin(host.state, call, clock.at);
        if (said !== null) noteOf(said);
        else if (activity.full) note('removed from a full disk');
        const answer = said ?? (runNumber === 0 ? work(host, call) : await untilItEnds(call, deadline_ms));
        const read = answer === null ? null : readAnswer(name, JSON.stringify(answer.line));
        if (answer === null || read === null) throw new Error(`the simulated ${name} gives no proper answer`);
        return { ...read, exit: answer.exit, output: '' };
      },
      async upload(files, limits) {
        await scheduler.pause('ssh.upload');
        stillThere();
        const cut = chance(CUT);
        if (activity.full) note('refused by a full disk');
        const from = activity.bring(host.state, cut ? files.filter((file) => !isFolder(file)).slice(1) : files, {
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
      strikes.asked = [];
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
      async check({ hosts: asked, ipv4 }) {
        await scheduler.pause('dns.read');
        const right = (host: string): boolean =>
          [...records].some(([domain, set]) => set && (host === domain || host.endsWith(`.${domain}`)));
        const looks = asked.map(({ host, required }) => ({
          host,
          type: 'A' as const,
          value: ipv4 ?? '',
          required,
          right: right(host),
          problem: right(host) ? null : ('none' as const),
          reason: right(host) ? null : asStored(`${host} leads nowhere yet.`),
          seen: [],
        }));
        return { all_right: looks.every((look) => look.right || !look.required), records: looks };
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
