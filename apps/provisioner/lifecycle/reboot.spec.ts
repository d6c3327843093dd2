import { beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR_MS, iso, MINUTE_MS } from '@moorage/domain';
import type { HostState } from '../clouds/sandbox/host-state';
import { type FixtureActor, fixturesOfSuite, type ProvisionerFixture } from '@moorage/tests/services/provisioner';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;
let id: number;
beforeEach(async () => {
  fixture = await openFixture();
  actor = await fixture.actor();
  id = await fixture.order();
  await fixture.until(actor, id, 'READY');
  await fixture.settle(actor);
});

const host = async (): Promise<HostState> => {
  const found = fixture.hosts.at((await fixture.row(id)).instance_ip ?? '');
  if (found === null) throw new Error('no host');
  return found;
};
const runs = async (): Promise<string[]> =>
  (
    await fixture.database.sql<{ plan: string; state: string }>(
      `select plan, state from runs where deployment_id = $1 and plan <> 'create' order by id`,
      [id],
    )
  ).map(({ plan, state }) => `${plan} ${state}`);
const change = async (): Promise<string | undefined> =>
  (
    await fixture.database.sql<{ state: string }>(
      `select state from deployment_changes where deployment_id = $1 and kind = 'reboot'`,
      [id],
    )
  )[0]?.state;
const outcomes = async (): Promise<string[]> =>
  (
    await fixture.database.sql<{ outcome: string }>(
      `select data ->> 'outcome' as outcome from outbox
       where event_name = 'deployment.reboot_ended' and aggregate_id = $1::text order by sequence`,
      [id],
    )
  ).map(({ outcome }) => outcome);
const needs = async (): Promise<unknown> =>
  (
    await fixture.database.sql<{ reboot: unknown }>(
      `select host -> 'reboot' as reboot from reachability where deployment_id = $1`,
      [id],
    )
  )[0]?.reboot;
/** Reports that a reboot is pending, and reads it. */
async function needsReboot(): Promise<void> {
  (await host()).marks.reboot_required = iso(fixture.clock.at);
  fixture.clock.at += HOUR_MS;
  await actor.provisioner.hosts.run();
}

describe('reboot of a server', () => {
  it('boots it once, waits for the software, and forgets that it was needed', async () => {
    await needsReboot();
    expect(await needs()).toMatchObject({ packages: ['linux-image-cloud-amd64'] });
    await fixture.reboot(id);
    const { status, failure_reason } = await fixture.until(actor, id, 'READY');
    expect([status, failure_reason, (await host()).marks.boots]).toEqual(['READY', null, '2']);
    expect([await runs(), await change(), await needs()]).toEqual([['reboot done'], 'done', null]);
    expect(await outcomes()).toEqual(['done']);
    expect(await fixture.steps(id)).toEqual(
      expect.arrayContaining(['reboot-server waiting', 'reboot-server done', 'check-health done']),
    );
  });

  it('boots it once even if the answer is lost', async () => {
    fixture.hosts.loseAnswer('reboot-server', 2, true);
    await fixture.reboot(id);
    await fixture.until(actor, id, 'READY');
    expect([(await host()).marks.boots, await runs()]).toEqual(['2', ['reboot done']]);
  });

  it('raises no incident while it cannot be reached', async () => {
    await fixture.reboot(id);
    const { instance_ip } = await fixture.row(id);
    fixture.hosts.switchOff(instance_ip ?? '', true);
    await fixture.settle(actor, MINUTE_MS);
    await actor.provisioner.hosts.run();
    fixture.hosts.switchOff(instance_ip ?? '', false);
    await fixture.until(actor, id, 'READY');
    expect(await fixture.database.sql('select kind from incidents where deployment_id = $1', [id])).toEqual([]);
  });

  it('starts it through its provider if it does not come back', async () => {
    await fixture.reboot(id);
    const { ref } = await fixture.row(id);
    // The first attempt stores the boot, and the second reboots the server.
    await fixture.settle(actor, 1);
    expect((await host()).marks.boots).toBe('2');
    const [server] = fixture.memory.living().filter(({ labels }) => labels.deployment === ref);
    fixture.memory.switchOff(server?.id ?? '');
    const { failure_reason } = await fixture.until(actor, id, 'READY');
    expect(failure_reason).toContain('The deployment did not come back after the reboot');
    expect([await runs(), await change()]).toEqual([['reboot failed', 'undo-reboot done'], 'failed']);
    expect(await outcomes()).toEqual(['failed']);
  });

  it('does nothing to a server that cannot be reached before', async () => {
    const { instance_ip } = await fixture.row(id);
    const before = await host();
    fixture.hosts.switchOff(instance_ip ?? '', true);
    await fixture.reboot(id);
    const { failure_reason } = await fixture.until(actor, id, 'READY');
    expect(failure_reason).toContain('The server was not rebooted.');
    expect([await runs(), await change(), before.marks.boots]).toEqual([['reboot failed'], 'failed', undefined]);
  });

  it('ends with the deployment when its balance runs out meanwhile', async () => {
    await fixture.reboot(id);
    await fixture.settle(actor, 1);
    await fixture.deplete(id);
    await fixture.until(actor, id, 'DESTROYED', 'DELETED');
    expect(await change()).toBe('failed');
  });
});
