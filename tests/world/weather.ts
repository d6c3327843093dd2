import type { Tx } from '@moorage/server';
import type { World } from '@moorage/testing';
import type { Outside } from './outside';

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

/** What the sky does: clouds fail, servers vanish, machines are switched off and on. */
export async function createWeather(world: World, outside: Outside): Promise<() => void> {
  const { random } = world;
  // a door that the world watches: who is inside a transaction may hold the row
  const db = await world.open('provisioner', 'sky');
  const sky = (sql: string, params?: Parameters<Tx['execute']>[1]): Promise<number> =>
    db.tx('sky', (tx) => tx.execute(sql, params));
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.fraction() * list.length)] as T;

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
      [new Date(world.clock.at).toISOString()],
    );
  }

  async function switchMachine(): Promise<void> {
    const own = [...outside.hosts.values()].filter((host) => host.own);
    if (own.length === 0) return;
    const host = pick(own);
    host.on = !host.on;
  }

  return () => {
    const what = random.fraction();
    const act = what < 0.7 ? cloudFault : what < 0.8 ? vanish : switchMachine;
    void world.scheduler.start({ process: 'sky', name: 'weather' }, act);
  };
}
