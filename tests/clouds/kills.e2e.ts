import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CloudName } from '@moorage/domain';
import { eventuallyHolds, standsAt } from '../crash/state-after-crash';
import { LONG_MS, stopped } from '../crash/kill';
import { type Person, until } from '../journeys/customer';
import type { Proc } from '../journeys/product';
import { type LiveProduct, orderAt, payingCustomer, startLiveProduct, untilOffered, untilStatus } from './live-product';

/**
 * Providers with different protection against a second server. In order, a name is refused the second time, a token
 * returns the same server, the product chooses the name, and there is no protection.
 */
const KILLED: readonly CloudName[] = ['hetzner', 'aws', 'azure', 'vultr'];

describe.each(KILLED)('the provisioner is killed while it works at %s', (name) => {
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
    'when it has written down that it asks, and has not asked: nothing is made',
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
    'while the provider makes the server, which its lists show half a minute later: it is waited for',
    async () => {
      there.fakes.get(name)?.fleet.plant('create', 'listed_late', 1);
      await killedDuring(`made ${name}`);
      expect(await row()).toMatchObject({ requested: true, provider_server_id: null });
      expect(servers()).toHaveLength(1);
    },
    LONG_MS,
  );

  it(
    'when it has found the server and before it has stored its id: it finds it again',
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
    'while the provider removes the server: it is removed, and nothing is left',
    async () => {
      expect((await ada.call('DELETE', `/deployments/${id}`)).status).toBe(200);
      await killedDuring(`gone ${name}`);
      expect(await there.product.sql('select status from deployments')).toEqual([{ status: 'DESTROYING' }]);
      const provisioner = await there.product.spawn('provisioner');
      await untilStatus(ada, id, 'DESTROYED');
      expect(servers()).toEqual([]);
      await eventuallyHolds(there.product, there.secrets);
      expect(await there.product.sql('select count(*)::int as made from sandbox_servers')).toEqual([{ created: 1 }]);
      await stopped(provisioner);
    },
    LONG_MS,
  );

  const servers = () => there.fakes.get(name)?.fleet.living() ?? [];

  async function row(): Promise<object | undefined> {
    const [found] = await there.product.sql(
      'select asked_at is not null as asked, provider_server_id from servers where deployment_id = $1',
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
  async function killedDuring(call: `${'made' | 'gone'} ${CloudName}`): Promise<void> {
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
