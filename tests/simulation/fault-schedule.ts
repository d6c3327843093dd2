import { MINUTE_MS } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import type { World } from './world/world';
import type { Host, ExternalSystems, OutsideNote } from './external-systems';

const CLOUD_FAULTS = [
  ['create', 'apply_then_fail'],
  ['create', 'apply_then_fail'],
  ['create', 'rate_limited'],
  ['create', 'server_error'],
  ['create', 'never_boots'],
  ['create', 'vanishes'],
  ['create', 'delayed_list'],
  ['create', 'no_address'],
  ['create', 'no_capacity'],
  ['find', 'server_error'],
  ['get', 'server_error'],
  ['list', 'server_error'],
  ['list', 'empty'],
  ['list', 'partial'],
  ['delete', 'apply_then_fail'],
  ['delete', 'still_there'],
  ['delete', 'locked'],
] as const;

/** Probability that a fault hits a machine with a running script, where it matters. */
const AT_WORK = 0.8;
const LAST_FORGOTTEN = 0.3;
const LAST_REBOOT = 0.4;
const LAST_FULL = 0.2;
const FULL_MS_MAX = 40 * MINUTE_MS;
/** Longer than two comparisons take. */
const FORGOTTEN_MS_MIN = 70 * MINUTE_MS;
const FORGOTTEN_MS_MAX = 150 * MINUTE_MS;

/** Faults that happen in a history for certain. */
export type Certain = 'clouds forget' | 'connections break';

export interface FaultSchedule {
  /** Applies a random fault. */
  act(): void;
  /** Applies the last faults to machines and clouds, when users have stopped acting. */
  last(): void;
}

/**
 * Creates the source of faults. Clouds fail, forget and lose servers. Machines are turned off, rebooted, and filled.
 */
export async function createFaultSchedule(
  world: World,
  outside: ExternalSystems,
  { note, sky: certain }: { note: (what: OutsideNote) => void; sky?: Certain },
): Promise<FaultSchedule> {
  const { random, clock } = world;
  // A connection controlled by the simulation, because an actor inside a transaction may hold the row.
  const db = await world.open('provisioner', 'sky');
  const sky = (sql: string, params?: Parameters<Tx['execute']>[1]): Promise<number> =>
    db.tx('sky', (tx) => tx.execute(sql, params));
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.fraction() * list.length)] as T;
  let forgets = false;

  async function cloudFault(): Promise<void> {
    const [call, mode] = pick(CLOUD_FAULTS);
    await sky(`insert into sandbox_faults (provider, call, mode, remaining) values ('any', $1, $2, $3)`, [
      call,
      mode,
      1 + Math.floor(random.fraction() * 2),
    ]);
  }

  async function vanish(): Promise<void> {
    await sky(
      `update sandbox_servers set state = 'gone', gone_at = $1
       where id = (select id from sandbox_servers where state <> 'gone' order by id limit 1)`,
      [new Date(clock.at).toISOString()],
    );
  }

  /**
   * Makes a provider respond successfully but show nothing, both in its list and for a server by id. Both begin and end
   * at the same time, and no other fault occurs in between, so two responses together never omit only a few servers.
   */
  async function forget(): Promise<void> {
    if (forgets) return;
    forgets = true;
    note('forgot everything');
    await db.tx('sky', async (tx) => {
      await tx.execute(`delete from sandbox_faults where call in ('list', 'get')`);
      await tx.execute(
        `insert into sandbox_faults (provider, call, mode, remaining)
         select 'hetzner', call, 'empty', 1000000 from unnest(array['list', 'get']) call`,
      );
    });
    await clock.sleep(FORGOTTEN_MS_MIN + random.fraction() * (FORGOTTEN_MS_MAX - FORGOTTEN_MS_MIN));
    await sky(`delete from sandbox_faults where call in ('list', 'get')`);
    forgets = false;
  }

  async function switchMachine(): Promise<void> {
    const own = [...outside.hosts.values()].filter((host) => host.own);
    if (own.length > 0) outside.switchOver(pick(own));
  }

  function machine(): Host | null {
    const on = [...outside.hosts.values()].filter((host) => host.on);
    return on.length === 0 ? null : pick(on);
  }

  async function reboot(): Promise<void> {
    const host = machine();
    if (random.fraction() < AT_WORK) outside.strikeNext('at work', outside.reboot);
    else if (host !== null) outside.reboot(host);
  }

  async function fillDisk(): Promise<void> {
    const host = machine();
    if (random.fraction() < AT_WORK) outside.strikeNext('requested', fill);
    else if (host !== null) fill(host);
  }

  function fill(host: Host): void {
    note('full disk');
    outside.fillDisk(host, true);
    void world.scheduler.start({ process: 'sky', name: 'disk' }, async () => {
      await clock.sleep(random.fraction() * FULL_MS_MAX);
      outside.fillDisk(host, false);
    });
  }

  /** Random faults with their relative frequencies. */
  const ACTS: readonly (readonly [act: () => Promise<void>, share: number])[] = [
    [cloudFault, 0.4],
    [vanish, 0.06],
    [forget, 0.08],
    [switchMachine, 0.08],
    [reboot, 0.2],
    [fillDisk, 0.18],
  ];
  return {
    act() {
      let rest = random.fraction();
      const [act] = ACTS.find(([, share]) => (rest -= share) < 0) ?? [cloudFault];
      void world.scheduler.start({ process: 'sky', name: 'weather' }, act);
    },
    last() {
      if (random.fraction() < LAST_FORGOTTEN || certain === 'clouds forget')
        void world.scheduler.start({ process: 'sky', name: 'weather' }, forget);
      if (random.fraction() < LAST_REBOOT) outside.strikeNext('at work', outside.reboot);
      if (random.fraction() < LAST_FULL) outside.strikeNext('requested', fill);
    },
  };
}
