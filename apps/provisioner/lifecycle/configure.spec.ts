import { beforeEach, describe, expect, it } from '@jest/globals';
import { deploymentSecrets, secretBefore } from '@moorage/contracts';
import { SECOND_MS } from '@moorage/domain';
import { LIVE_TIMEOUTS } from '../runs/step-timeouts';
import { type FixtureActor, fixturesOfSuite, type ProvisionerFixture, turn } from '@moorage/tests/services/provisioner';

/** Failed attempts after which a health check gives up. */
const ATTEMPTS = LIVE_TIMEOUTS.steps['check-health'].errors_max ?? 0;

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;
let id: number;
beforeEach(async () => {
  fixture = await openFixture();
  actor = await fixture.actor();
  id = await fixture.order();
  await fixture.until(actor, id, 'READY');
});

const runs = async (): Promise<string[]> =>
  (
    await fixture.database.sql<{ plan: string; state: string }>(
      `select plan, state from runs where deployment_id = $1 and plan <> 'create' order by id`,
      [id],
    )
  ).map(({ plan, state }) => `${plan} ${state}`);

const changes = async (): Promise<string[]> =>
  (await fixture.database.sql<{ state: string }>('select state from deployment_changes order by id')).map(
    ({ state }) => state,
  );

const dnsCheck = () =>
  fixture.database.sql<{ records: unknown; all_right: boolean }>('select * from dns_checks where deployment_id = $1', [
    id,
  ]);

/** Returns all files of the stack on its server as text. */
async function stack(): Promise<string> {
  const { instance_ip, ref } = await fixture.row(id);
  const files = fixture.hosts.at(instance_ip ?? '')?.files ?? {};
  return Object.entries(files)
    .filter(([path]) => path.startsWith(`/opt/moorage/${ref}/`))
    .map(([, { data = '' }]) => Buffer.from(data, 'base64').toString())
    .join('\n');
}

/** Runs until the change of the configuration has ended. */
async function untilOver(): Promise<void> {
  while ((await fixture.row(id)).status === 'RESTARTING') await fixture.settle(actor, SECOND_MS);
}

describe('a change of the configuration', () => {
  it('uploads the new stack, restarts it, and returns to READY', async () => {
    const before = await fixture.row(id);
    await fixture.configure(id, { EMAIL: 'harbour@example.com', TRAEFIK_SUBDOMAIN: 'router' });
    const ready = await fixture.until(actor, id, 'READY');
    expect(await runs()).toEqual(['configure done']);
    expect(await changes()).toEqual(['done']);
    expect(await stack()).toContain('harbour@example.com');
    expect(ready).toMatchObject({
      failure_reason: null,
      restart_from: null,
      billable_from: before.billable_from,
      billable_to: null,
      config: { EMAIL: 'harbour@example.com', TRAEFIK_SUBDOMAIN: 'router' },
    });
  });

  it('empties the files of a value that was removed', async () => {
    await fixture.configure(id, { TRAEFIK_SUBDOMAIN: 'router' });
    await fixture.until(actor, id, 'READY');
    expect(await stack()).toContain('router.example.com');
    await fixture.configure(id, { TRAEFIK_SUBDOMAIN: null });
    await fixture.until(actor, id, 'READY');
    expect(await stack()).not.toContain('router.example.com');
    expect((await fixture.row(id)).config).not.toHaveProperty('TRAEFIK_SUBDOMAIN');
  });

  it('to a domain whose records do not point to the server replaces nothing', async () => {
    fixture.dnsRight = (host) => host.endsWith('example.com');
    const checked = await dnsCheck();
    await fixture.configure(id, { DOMAIN: 'example.org' });
    await turn(actor);
    await untilOver();
    expect(await runs()).toEqual(['configure failed']);
    expect(checked).toMatchObject([{ all_right: true }]);
    expect(await dnsCheck()).toEqual(checked);
    expect(await stack()).not.toContain('example.org');
    const { status, domain, config, failure_reason } = await fixture.row(id);
    expect([status, domain, config.DOMAIN]).toEqual(['READY', 'example.com', 'example.com']);
    expect(failure_reason).toContain('The new configuration was not applied.');
    expect(await changes()).toEqual(['failed']);
  });

  it('to another domain moves the deployment to it', async () => {
    await fixture.configure(id, { DOMAIN: 'example.org' });
    const ready = await fixture.until(actor, id, 'READY');
    expect(ready).toMatchObject({ domain: 'example.org', failure_reason: null });
    expect(await stack()).toContain('admin.example.org');
    expect(await stack()).not.toContain('admin.example.com');
  });

  it('with which the software is not healthy is taken back', async () => {
    fixture.hosts.loseAnswer('check-health', ATTEMPTS, false);
    await fixture.configure(id, { EMAIL: 'harbour@example.com', TRAEFIK_SUBDOMAIN: 'router' });
    await untilOver();
    expect(await runs()).toEqual(['configure failed', 'undo-configure done']);
    expect(await changes()).toEqual(['failed']);
    expect(await stack()).toContain('captain@example.com');
    expect(await stack()).not.toContain('router.example.com');
    const { status, config, failure_reason } = await fixture.row(id);
    expect([status, config.EMAIL]).toEqual(['READY', 'captain@example.com']);
    expect(config).not.toHaveProperty('TRAEFIK_SUBDOMAIN');
    expect(failure_reason).toContain('The previous values are in use again.');
  });

  it('without a certificate is taken back', async () => {
    fixture.authority = 'no';
    const checked = await dnsCheck();
    await fixture.configure(id, { DOMAIN: 'example.org' });
    while (!(await runs()).includes('undo-configure running')) await fixture.settle(actor, SECOND_MS);
    fixture.authority = null;
    const ready = await fixture.until(actor, id, 'READY');
    expect(ready).toMatchObject({ domain: 'example.com' });
    expect(await dnsCheck()).toMatchObject(checked.map(({ records, all_right }) => ({ records, all_right })));
    expect(ready.failure_reason).toContain('The previous values are in use again.');
    expect(await stack()).toContain('admin.example.com');
  });

  it('is ended by a delete, and the previous secrets are removed', async () => {
    const { secrets, db } = actor;
    await db.tx('seal', async (tx) => {
      await secrets.put(tx, deploymentSecrets(id), 'KOMODO_PASSKEY', 'new-passkey-of-the-customer');
      await secrets.put(tx, deploymentSecrets(id), secretBefore('KOMODO_PASSKEY'), 'old-passkey-of-the-customer');
    });
    await fixture.configure(id, { EMAIL: 'harbour@example.com' });
    await fixture.database.sql(`update deployment_changes set secrets = '{KOMODO_PASSKEY}'`);
    await turn(actor);
    await fixture.cancel(id);
    await fixture.until(actor, id, 'DESTROYED');
    expect(await changes()).toEqual(['failed']);
    expect(await fixture.database.sql(`select name from secrets where name like 'before_%'`)).toEqual([]);
  });

  it('whose undo fails, too, says so and returns to READY', async () => {
    fixture.hosts.loseAnswer('check-health', 2 * ATTEMPTS, false);
    await fixture.configure(id, { EMAIL: 'harbour@example.com' });
    await untilOver();
    expect(await runs()).toEqual(['configure failed', 'undo-configure failed']);
    const { status, config, failure_reason } = await fixture.row(id);
    expect([status, config.EMAIL]).toEqual(['READY', 'captain@example.com']);
    expect(failure_reason).toContain('could not be restored on the server');
  });
});
