import type { Service } from '@moorage/database';
import type { Packages } from '@moorage/provisioner';
import type { Db } from '@moorage/server';
import type { ProcessParts, World, WorldProcess } from '@moorage/testing';
import type { Auditors, BillingOn } from './auditors';
import type { Failing } from './failing';
import type { Outside } from './outside';
import { apiOf, apiProcessOf, billingOf, type BuiltApi, createBillingOf, provisionerOf } from './processes';

/** Bugs planted in what a process is built from. */
export type Sabotage = (service: Service, parts: ProcessParts) => ProcessParts;

export interface InstallOptions {
  readonly outside: Outside;
  readonly packs: Packages;
  readonly sabotage?: Sabotage | undefined;
  /** None: nobody audits at night. */
  readonly auditors?: Auditors | undefined;
  readonly failing?: Failing | undefined;
}

export interface Installed {
  /** The api that runs now: after a crash it is another one, and nothing in memory was kept. */
  readonly current: () => BuiltApi;
  /** People act in the api's process, so their transactions end with it. */
  readonly db: Db;
  /** Billing as its processes build it, outside of them. */
  readonly billingOn: BillingOn;
}

/** One api, two provisioners, two billing runners. */
export async function install(
  world: World,
  { outside, packs, sabotage = (_, parts) => parts, auditors, failing }: InstallOptions,
): Promise<Installed> {
  let built: BuiltApi | undefined;
  await world.add({
    name: 'api',
    service: 'api',
    async build(given) {
      const parts = sabotage('api', given);
      const crashed = built;
      built = undefined;
      await crashed?.api.close();
      built = await apiOf(parts);
      return apiProcessOf(parts, built);
    },
  });
  const faulty = (service: Service, parts: ProcessParts): ProcessParts =>
    service === 'billing' && failing !== undefined ? { ...parts, db: failing.through(parts.db) } : parts;
  const builders: readonly [Service, (parts: ProcessParts) => WorldProcess][] = [
    ['provisioner', (parts) => provisionerOf(parts, { outside, packs })],
    ['billing', (parts) => billingOf(parts, auditors)],
  ];
  for (const [service, build] of builders) {
    for (const number of [1, 2]) {
      await world.add({
        name: `${service} ${number}`,
        service,
        build: (given) => Promise.resolve(build(sabotage(service, faulty(service, given)))),
      });
    }
  }
  // outside of actors nobody moves the clock
  const waking = { ...world.clock, sleep: () => Promise.resolve() };
  return {
    current() {
      if (built === undefined) throw new Error('there is no api');
      return built;
    },
    db: await world.open('api', 'api'),
    billingOn: (db) =>
      createBillingOf(
        sabotage('billing', { ...world, clock: waking, db, onError: () => undefined }),
        auditors?.sealFiles ?? null,
      ),
  };
}
