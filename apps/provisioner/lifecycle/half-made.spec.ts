import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MINUTE_MS, SECOND_MS } from '@moorage/domain';
import { seededRandom } from '@moorage/server';
import { cloudsOf } from '../clouds/cloud';
import { AzureCloud } from '../clouds/live/azure.cloud';
import { type FixtureActor, fixturesOfSuite, type ProvisionerFixture } from '@moorage/tests/services/provisioner';
import { azureRefusal, fakeAzure, type FakeAzure } from '@moorage/tests/fakes/clouds/fake-azure';

/** A provider that needs several calls, and a create that ends between two of them. */
const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let fake: FakeAzure;
let actor: FixtureActor;
beforeEach(async () => {
  fixture = await openFixture();
  const account = { tenantId: 't', clientId: 'c', clientSecret: 'secret', subscriptionId: 's' };
  fake = await fakeAzure({
    now: () => fixture.clock.at,
    bootMs: 20 * SECOND_MS,
    subscription: account.subscriptionId,
    clientSecret: account.clientSecret,
  });
  const azure = new AzureCloud(
    { ...account, baseUrl: fake.http.url, tokenUrl: `${fake.http.url}/token` },
    {
      random: seededRandom(39),
      clock: { ...fixture.clock, sleep: (ms) => Promise.resolve(void (fixture.clock.at += ms)) },
    },
  );
  actor = await fixture.actor({
    clouds: cloudsOf((name) => (name === 'azure' ? azure : fixture.memory.clouds.of(name))),
  });
});
afterEach(() => fake.http.close());

async function order(): Promise<number> {
  const id = await fixture.order({ provider: 'azure' });
  await fixture.database.sql(
    `update deployments set region = 'westeurope', instance_type = 'Standard_B2s' where id = $1`,
    [id],
  );
  return id;
}

const interruptedAt = (kind: string): void =>
  void fake.breaks.set(kind, { answer: azureRefusal(503, 'ServiceUnavailable', 'unavailable'), isDone: true });

describe('partially completed create', () => {
  it.each(['group', 'publicIPAddresses', 'networkInterfaces', 'virtualMachines'])(
    'continues at %s and creates one server',
    async (kind) => {
      interruptedAt(kind);
      const id = await order();
      await fixture.settle(actor, 3 * MINUTE_MS);
      expect(await fixture.steps(id)).toContain('create-server done');
      const { ref } = await fixture.row(id);
      const servers = await fixture.database.sql('select provider_server_id, address from servers');
      const [created, ...more] = fake.fleet.living();
      expect(servers).toEqual([{ provider_server_id: `moorage-${ref}`, address: created?.address }]);
      expect(more).toEqual([]);
    },
  );

  it('leaves nothing behind if the deployment is ended then', async () => {
    interruptedAt('networkInterfaces');
    fake.removalMs = 2 * MINUTE_MS;
    const id = await order();
    await fixture.settle(actor);
    expect(fake.groups.size).toBe(1);
    await fixture.deplete(id);
    await fixture.until(actor, id, 'DESTROYED');
    expect([fake.groups.size, fake.fleet.living().length]).toEqual([0, 0]);
  });

  it('fails with its reason and removes its network if there is no capacity for the server', async () => {
    fake.soldOut.add('westeurope Standard_B2s');
    fake.removalMs = 2 * MINUTE_MS;
    const id = await order();
    const row = await fixture.until(actor, id, 'FAILED');
    expect(row.failure_reason).toContain('This server size is sold out in this region.');
    await fixture.settle(actor, 10 * MINUTE_MS);
    expect(await fixture.row(id)).toMatchObject({ status: 'FAILED', server_exists: false });
    expect(fake.groups.size).toBe(0);
  });
});
