import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LiveName } from '@moorage/domain';
import { EVERY_FAKE } from '../services/provisioner/clouds';
import { eventuallyHolds, standsAt } from '../crash/state-after-crash';
import { LONG_MS, stopped } from '../crash/kill';
import { type Person, until } from '../journeys/customer';
import type { Proc } from '../journeys/product';
import {
  type LiveProduct,
  orderAt,
  payingCustomer,
  resizeAt,
  startLiveProduct,
  untilOffered,
  untilStatus,
} from './live-product';

/**
 * Providers with different protection against a second server. In order, a name is refused the second time, a token
 * returns the same server, the product chooses the name, and there is no protection.
 */
const KILLED: readonly LiveName[] = ['hetzner', 'aws', 'azure', 'vultr'];

describe.each(KILLED)('provisioner killed while it works at %s', (name) => {
  let there: LiveProduct;
  let ada: Person;
  let id: number;
  beforeAll(async () => {
    there = await startLiveProduct(['api', 'billing'], [name]);
    const provisioner = await there.product.spawn('provisioner');
    ada = await payingCustomer(there, 'ada', 20);
    await untilOffered(there);
    await stopped(provisioner);
    id = await orderAt(ada, name);
  }, LONG_MS);
  afterAll(() => there.stop());

  it(
    'creates nothing when it was killed after recording the request and before sending it',
    async () => {
      await diesAt('create-server.asked.committed');
      expect(await row()).toMatchObject({ requested: true, provider_server_id: null });
      expect(servers()).toHaveLength(0);
      // A minute later, because a create that was sent would be visible by now.
      await standsAt(there.product);
    },
    LONG_MS,
  );

  it(
    'waits for the server when killed during its creation, even if it is listed half a minute later',
    async () => {
      there.fakes.get(name)?.fleet.plant('create', 'listed_late', 1);
      await killedDuring(`made ${name}`);
      expect(await row()).toMatchObject({ requested: true, provider_server_id: null });
      expect(servers()).toHaveLength(1);
    },
    LONG_MS,
  );

  it(
    'finds the server again when killed before its id was stored',
    async () => {
      await diesAt('create-server.returned');
      expect(await row()).toMatchObject({ provider_server_id: null });
      expect(servers()).toHaveLength(1);
      await freeLeases();
      const provisioner = await there.product.spawn('provisioner');
      await untilStatus(ada, id, 'READY');
      expect(servers()).toHaveLength(1);
      expect(await row()).toMatchObject({ provider_server_id: expect.any(String) });
      await stopped(provisioner);
    },
    LONG_MS,
  );

  it(
    'changes the size of the same server when killed before and after the provider has confirmed it',
    async () => {
      const [before] = servers();
      await resizeAt(ada, name, id);
      await diesAt('run.begin');
      await freeLeases();
      const killed = await there.product.spawn('provisioner');
      await until(
        'the larger size at the provider',
        () => Promise.resolve(servers()),
        ([server]) => server?.type === EVERY_FAKE[name].larger,
        120_000,
      );
      killed.child.kill('SIGKILL');
      expect(await killed.ended).toBe('SIGKILL');
      await freeLeases();
      const provisioner = await there.product.spawn('provisioner');
      await untilStatus(ada, id, 'READY');
      expect(servers()).toMatchObject([{ id: before?.id, type: EVERY_FAKE[name].larger }]);
      expect((await ada.call('GET', `/deployments/${id}`)).body).toMatchObject({
        instance_type: EVERY_FAKE[name].larger,
        failure: null,
      });
      await stopped(provisioner);
    },
    LONG_MS,
  );

  it(
    'removes the server without leftovers when killed during the removal',
    async () => {
      expect((await ada.call('DELETE', `/deployments/${id}`)).status).toBe(200);
      await killedDuring(`gone ${name}`);
      expect(await there.product.sql('select status from deployments')).toEqual([{ status: 'DESTROYING' }]);
      const provisioner = await there.product.spawn('provisioner');
      await untilStatus(ada, id, 'DESTROYED');
      expect(servers()).toEqual([]);
      await eventuallyHolds(there.product, there.secrets);
      expect(await there.product.sql('select count(*)::int as created from sandbox_servers')).toEqual([{ created: 1 }]);
      await stopped(provisioner);
    },
    LONG_MS,
  );

  const servers = () => there.fakes.get(name)?.fleet.living() ?? [];

  async function row(): Promise<object | undefined> {
    const [found] = await there.product.sql(
      'select asked_at is not null as requested, provider_server_id from servers where deployment_id = $1',
      [id],
    );
    return found;
  }

  /** Frees the leases of the killed process immediately instead of after half a minute. */
  async function freeLeases(): Promise<void> {
    await there.product.sql('update work set leased_until = due_at where leased_until is not null');
  }

  /** Runs a provisioner that kills itself at this place. */
  async function diesAt(place: string): Promise<void> {
    const proc = await there.product.spawn('provisioner', { FAILPOINT: place }).catch(diedInStarting);
    if (proc !== null) expect(await proc.ended).toBe('SIGKILL');
  }

  /**
   * Kills the provisioner during a call. The provider has carried out the call, and responds only after the process is
   * gone.
   */
  async function killedDuring(call: `${'made' | 'gone'} ${LiveName}`): Promise<void> {
    let isHeld = false;
    let letGo = (): void => undefined;
    const over = new Promise<void>((resolve) => (letGo = resolve));
    there.holds.set(call, () => {
      isHeld = true;
      return over;
    });
    const provisioner = await there.product.spawn('provisioner');
    await until('a request that is held', () => Promise.resolve(isHeld), Boolean);
    provisioner.child.kill('SIGKILL');
    expect(await provisioner.ended).toBe('SIGKILL');
    there.holds.delete(call);
    letGo();
    await freeLeases();
  }
});

function diedInStarting(error: unknown): Proc | null {
  if (error instanceof Error && error.message.includes('ended before it was ready')) return null;
  throw error;
}
