import { beforeEach, describe, expect, it } from '@jest/globals';
import { MINUTE_MS, SECOND_MS } from '@moorage/domain';
import { correlated, createLog } from '@moorage/server';
import {
  type FixtureActor,
  type ProvisionerFixture,
  fixturesOfSuite,
  expectServers,
  START,
} from '@moorage/tests/services/provisioner';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;

beforeEach(async () => {
  fixture = await openFixture();
  actor = await fixture.actor();
});

const secretsOf = (id: number) =>
  fixture.database.sql<{ name: string }>('select name from secrets where owner = $1 order by name', [
    `deployment:${id}`,
  ]);

describe('from order to destruction', () => {
  it('brings a package to READY with every step in the timeline, and removes it without leftovers', async () => {
    const id = await fixture.order();
    const ready = await fixture.until(actor, id, 'READY');
    expect(ready).toMatchObject({ failure_reason: null, server_exists: true, billable_to: null });
    expect(ready.instance_ip).toMatch(/^198\.18\./);
    expectServers(fixture, ready.ref, 1);
    const reported = await fixture.steps(id);
    for (const step of [
      'create-server',
      'wait-for-ssh',
      'preflight',
      'bootstrap',
      'upload-stack',
      'start-stack',
      'check-health',
      'validate-dns',
      'issue-certificate',
      'finish',
    ]) {
      expect(reported).toContain(`${step} started`);
      expect(reported).toContain(`${step} done`);
    }
    expect(reported.filter((line) => line.endsWith('failed') || line.endsWith('retrying'))).toEqual([]);
    expect((await secretsOf(id)).map(({ name }) => name)).toEqual([
      'ADMIN_PASSWORD',
      'SERVER_SECRET',
      'SETUP_TOKEN',
      'ssh_private_key',
      'ssh_public_key',
    ]);

    await fixture.request(id, 'delete');
    const gone = await fixture.until(actor, id, 'DESTROYED');
    expect(gone).toMatchObject({ server_exists: false, failure_reason: null });
    expect(gone.deleted_at).not.toBeNull();
    expectServers(fixture, ready.ref, 0);
    expect(await secretsOf(id)).toEqual([]);
    await fixture.settle(actor);
    expect(await fixture.database.sql(`select * from work where kind in ('run', 'dns-check')`)).toEqual([]);
  });

  it('logs each step and writes each event of a run with the id of the triggering request', async () => {
    const lines: Record<string, unknown>[] = [];
    const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
    const logging = await fixture.actor({ log: createLog({ service: 'provisioner', write }) });
    const id = await correlated('the-order', () => fixture.order());
    await fixture.until(logging, id, 'READY');
    await correlated('the-delete', () => fixture.request(id, 'delete'));
    await fixture.until(logging, id, 'DESTROYED');

    const steps = lines.filter(({ message }) => message === 'run step');
    const of = (plan: string) => steps.filter((line) => line.plan === plan);
    expect(of('create').at(-1)).toMatchObject({
      deployment_id: id,
      step: 'finish',
      provider: 'hetzner',
      outcome: 'done',
      ms: 0,
    });
    expect(new Set(of('create').map(({ correlation_id }) => correlation_id))).toEqual(new Set(['the-order']));
    expect(new Set(of('destroy').map(({ correlation_id }) => correlation_id))).toEqual(new Set(['the-delete']));
    const events = await fixture.database.sql(
      `select distinct correlation_id from outbox where aggregate_id = $1 order by 1`,
      [String(id)],
    );
    expect(events).toEqual([{ correlation_id: 'the-delete' }, { correlation_id: 'the-order' }]);
  });

  it('opens the billable interval when DNS validation begins', async () => {
    fixture.dnsRight = () => false;
    const id = await fixture.order();
    const row = await fixture.until(actor, id, 'DNS_VALIDATION');
    expect(row.billable_from).toBe(row.updated_at);
    expect(row.billable_from).toBeGreaterThan(START);
  });

  it('makes a package without a domain ACTIVE, without DNS and certificate', async () => {
    const id = await fixture.order({ package: 'test-page', domain: null });
    const row = await fixture.until(actor, id, 'ACTIVE');
    expect(row.billable_from).toBe(row.updated_at);
    const reported = await fixture.steps(id);
    expect(reported.some((line) => line.startsWith('validate-dns') || line.startsWith('issue-certificate'))).toBe(
      false,
    );
  });

  it('replaces the host key of the user data', async () => {
    const id = await fixture.order();
    await fixture.until(actor, id, 'READY');
    const [server] = await fixture.database.sql<{ host_key_sha256: string; next_host_key_sha256: string | null }>(
      'select * from servers',
    );
    const [boot] = fixture.memory.living();
    expect(fixture.memory.userDataOf(boot?.id ?? '')).toContain('ed25519_private');
    expect(server?.next_host_key_sha256).toBeNull();
    const machine = fixture.hosts.at(boot?.address ?? '');
    expect(fixture.memory.userDataOf(boot?.id ?? '')).not.toContain(machine?.host_key.split('\n')[3] ?? 'nothing');
  });

  it.each([
    ['ran out of balance', 'deplete'],
    ['is removed with its account', 'prepareDeletion'],
  ] as const)('ends a deployment that %s without deleted_at, which only its owner sets', async (_, end) => {
    const id = await fixture.order();
    await fixture.until(actor, id, 'READY');
    await fixture[end](id);
    const row = await fixture.until(actor, id, 'DESTROYED');
    expect(row.deleted_at).toBeNull();
    expectServers(fixture, row.ref, 0);
  });

  it.each([
    ['an empty balance', 'deplete'],
    ['the deletion of its account', 'prepareDeletion'],
  ] as const)('rolls back at the next step boundary when %s marked it in flight', async (_, end) => {
    fixture.dnsRight = () => false;
    const id = await fixture.order();
    await fixture.until(actor, id, 'DNS_VALIDATION');
    await fixture[end](id);
    expect((await fixture.row(id)).status).toBe('DNS_VALIDATION');
    const row = await fixture.until(actor, id, 'DESTROYED');
    expectServers(fixture, row.ref, 0);
    expect(row.billable_to).not.toBeNull();
    // The run continues immediately instead of after the next DNS check.
    expect(fixture.clock.at - (row.billable_to ?? 0)).toBeLessThan(30 * SECOND_MS);
    const [create] = await fixture.database.sql<{ state: string }>(`select state from runs where plan = 'create'`);
    expect(create?.state).toBe('cancelled');
  });

  it('never requests a server if it was marked before its run began', async () => {
    const id = await fixture.order();
    await fixture.database.sql(
      `update deployments set desired = 'destroyed', destroy_reason = 'account', version = version + 1`,
    );
    const row = await fixture.until(actor, id, 'DESTROYED');
    expect(fixture.memory.createdFor(row.ref)).toBe(0);
  });

  it('reports after five minutes that it takes longer than usual', async () => {
    fixture.memory.fault('any', 'create', 'never_boots', 1);
    const id = await fixture.order();
    await fixture.settle(actor, 6 * MINUTE_MS);
    const [line] = await fixture.database.sql<{ at: number }>(
      `select at from deployment_steps where deployment_id = $1 and message like '%longer than usual%'`,
      [id],
    );
    expect(line?.at).toBeGreaterThanOrEqual(START + 5 * MINUTE_MS);
  });

  it('needs no event because the sweep finds an ordered deployment by its row', async () => {
    const id = await fixture.order();
    await fixture.database.sql('delete from outbox');
    await actor.provisioner.recovery.run();
    await fixture.until(actor, id, 'READY');
  });

  it('resumes a run whose work row was lost', async () => {
    fixture.dnsRight = () => false;
    const id = await fixture.order();
    await fixture.until(actor, id, 'DNS_VALIDATION');
    await fixture.database.sql(`delete from work`);
    fixture.dnsRight = () => true;
    await actor.provisioner.recovery.run();
    await fixture.until(actor, id, 'READY');
  });
});
