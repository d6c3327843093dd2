import type { Api } from '@moorage/api';
import type { Service } from '@moorage/database';
import type { Packages } from '@moorage/provisioner';
import type { Db } from '@moorage/server';
import type { ProcessParts, World, WorldProcess } from '@moorage/testing';
import type { Outside } from './outside';
import { apiOf, billingOf, loopsOf, provisionerOf, type Wiring, wire } from './processes';

/** Bugs planted in what a process is built from. */
export type Sabotage = (service: Service, parts: ProcessParts) => ProcessParts;

/** One api, two provisioners, two billing runners. */
export async function install(
  world: World,
  { outside, packs, sabotage = (_, parts) => parts }: { outside: Outside; packs: Packages; sabotage?: Sabotage },
): Promise<{ api: Api; wiring: Wiring; db: Db }> {
  let api: Api | undefined;
  let wiring: Wiring | undefined;
  await world.add({
    name: 'api',
    service: 'api',
    async build(given) {
      const parts = sabotage('api', given);
      wiring ??= wire('api', parts);
      api ??= await apiOf(parts, wiring);
      // a mail is a file: nothing the world can look into
      return loopsOf('api', parts, { handlers: api.handlers, work: {} });
    },
  });
  const builders: readonly [Service, (parts: ProcessParts) => WorldProcess][] = [
    ['provisioner', (parts) => provisionerOf(parts, { outside, packs })],
    ['billing', billingOf],
  ];
  for (const [service, build] of builders) {
    for (const number of [1, 2]) {
      await world.add({
        name: `${service} ${number}`,
        service,
        build: (given) => Promise.resolve(build(sabotage(service, given))),
      });
    }
  }
  if (api === undefined || wiring === undefined) throw new Error('there is no api');
  // people act in the api's process, so their transactions end with it
  return { api, wiring, db: await world.open('api', 'api') };
}
