import type { Service } from '@moorage/database';
import type { StackPackages } from '@moorage/provisioner';
import type { Db } from '@moorage/server';
import type { ProcessParts, World, WorldProcess } from './world/world';
import type { Auditors, BillingOn } from './auditors';
import type { Failing } from './failing';
import type { ExternalSystems } from './external-systems';
import { apiOf, apiProcessOf, billingOf, type BuiltApi, createBillingOf, provisionerOf } from './processes';

/** Plants bugs in the parts of a process. */
export type Sabotage = (service: Service, parts: ProcessParts) => ProcessParts;

export interface InstallOptions {
  readonly outside: ExternalSystems;
  readonly packs: StackPackages;
  readonly sabotage?: Sabotage | undefined;
  /** Without it, there are no nightly audits. */
  readonly auditors?: Auditors | undefined;
  readonly failing?: Failing | undefined;
}

export interface Installed {
  /** Returns the running api. After a crash it is a new instance without any state in memory. */
  readonly current: () => BuiltApi;
  /** Database of the api process. Users act in that process, so their transactions end with it. */
  readonly db: Db;
  /** Builds billing outside of its processes. */
  readonly billingOn: BillingOn;
}

/** Installs one api, two provisioners and two billing runners. */
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
  // Outside of actors the clock does not advance.
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
