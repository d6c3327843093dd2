import { afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  type FixtureActor,
  type ProvisionerFixture,
  fixturesOfSuite,
  realFixtureClock,
} from '@moorage/tests/services/provisioner';
import { LIVE_TIMEOUTS, SANDBOX_TIMEOUTS } from '../runs/step-timeouts';

/**
 * A waiting deployment occupies a row but no worker. DNS is checked as often as in production, everything else as in
 * the sandbox.
 */
const TIMEOUTS = { ...SANDBOX_TIMEOUTS, dns_poll_ms: LIVE_TIMEOUTS.dns_poll_ms };
const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor & { stop(): Promise<void> };
beforeEach(async () => {
  fixture = await openFixture({ clock: realFixtureClock(), timeouts: TIMEOUTS, boot_ms: 300 });
  actor = await fixture.running();
});
afterEach(() => actor.stop());

const WAITING = 200;

async function until(id: number, status: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  while ((await fixture.row(id)).status !== status) {
    if (performance.now() > deadline) throw new Error(`not ${status} but ${(await fixture.row(id)).status}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function timeToReady(): Promise<number> {
  const begun = performance.now();
  await until(await fixture.order({ domain: 'quick.example' }), 'READY');
  return performance.now() - begun;
}

const best = async (times: number, measure: () => Promise<number>): Promise<number> => {
  const measured: number[] = [];
  for (let n = 0; n < times; n++) measured.push(await measure());
  return Math.min(...measured);
};

it('with 200 deployments waiting for DNS, the next is READY within 1.5 times the usual time', async () => {
  fixture.dnsRight = (host) => host.endsWith('quick.example');
  await timeToReady();
  const lone = await best(3, timeToReady);

  const id = await fixture.order({ domain: 'waits.example' });
  await until(id, 'DNS_VALIDATION');
  await multiply(id, WAITING - 1);
  const [waiting] = await fixture.database.sql<{ count: number }>(
    `select count(*)::int as count from deployments d join runs r on r.deployment_id = d.id join work w on w.kind = 'run' and w.key = r.id::text
     where d.status = 'DNS_VALIDATION' and r.state = 'running'`,
  );
  expect(waiting?.count).toBe(WAITING);

  const among = await best(3, timeToReady);
  expect(among).toBeLessThan(lone * 1.5);
  const [checks] = await fixture.database.sql<{ count: number }>('select count(*)::int as count from dns_checks');
  expect(checks?.count).toBeGreaterThan(1);
}, 120_000);

/** Copies a waiting deployment with its run and work. The checks of the copies are spread over one interval. */
async function multiply(id: number, copies: number): Promise<void> {
  const spread = TIMEOUTS.dns_poll_ms / copies;
  await fixture.database.sql(
    `with copied as (
       insert into deployments (user_id, ref, client_name, client_id, package, server_type, cloud_provider, region, instance_type,
         support_level, instance_hourly_micros, status, domain, admin_subdomain, config, instance_ip, server_exists, billable_from, created_at, updated_at)
       select user_id, 'copy' || lpad(n::text, 12, '0'), client_name, client_id, package, server_type, cloud_provider, region, instance_type,
         support_level, instance_hourly_micros, status, domain, admin_subdomain, config, instance_ip, server_exists, billable_from, created_at, updated_at
       from deployments, generate_series(1, $2) n where id = $1 returning id
     ), runs_copied as (
       insert into runs (deployment_id, plan, steps, position, step_started_at, memory, started_at)
       select c.id, r.plan, r.steps, r.position, r.step_started_at, r.memory, r.started_at
       from copied c, runs r where r.deployment_id = $1 and r.state = 'running' returning id
     )
     insert into work (kind, key, due_at, created_at)
     select 'run', id::text, now() + (row_number() over (order by id) * $3::float8) * interval '1 millisecond', now() from runs_copied`,
    [id, copies, spread],
  );
}
