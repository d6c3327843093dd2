import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type DeploymentAnswer, event, type EventData } from '@moorage/contracts';
import { instant, MINUTE_MS, iso } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '../http/testing';
import { type Neighbours, neighbours, ordered } from './testing';

const FROM = '2026-11-30T08:00:00.000Z';
const TO = '2026-11-30T08:25:00.000Z';

let harness: ApiHarness;
let others: Neighbours;
let account: TestAccount;
let deployment: DeploymentAnswer;
beforeAll(async () => {
  harness = await apiHarness();
  others = await neighbours(harness);
});
afterAll(() => harness.close());
beforeEach(async () => {
  account = await harness.user();
  await harness.pay(account, 2_000);
  deployment = await ordered(harness, account);
  await others.moveTo(deployment.id, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
});

async function read(who: TestAccount = account): Promise<DeploymentAnswer> {
  const { body } = await harness.http.get(`/api/deployments/${deployment.id}`).set(who.auth);
  return body as DeploymentAnswer;
}

/** Writes the row as the provisioner does. */
const checked = () =>
  harness.database.sql(
    `insert into reachability (deployment_id, due_at, state, since, checked_at, failures, outages, mailed)
     values ($1, now(), 'reachable', $2, $3, 0, $4, '[]')`,
    [deployment.id, TO, iso(instant(TO) + 5 * MINUTE_MS), JSON.stringify([{ from: instant(FROM), to: instant(TO) }])],
  );

describe('deployment details', () => {
  it('omit reachability before the first check', async () => {
    expect((await read()).reachability).toBeNull();
  });

  it('show reachability, since when, and past outages, while lists omit them', async () => {
    await checked();
    expect((await read()).reachability).toEqual({
      state: 'reachable',
      since: TO,
      checked_at: '2026-11-30T08:30:00.000Z',
      outages: [{ from: FROM, to: TO }],
    });
    const { body } = await harness.http.get('/api/deployments').set(account.auth);
    expect((body as DeploymentAnswer[]).map(({ id, reachability }) => [id, reachability])).toEqual([
      [deployment.id, undefined],
    ]);
  });

  it('omit reachability once the deployment no longer runs', async () => {
    await checked();
    await harness.http.delete(`/api/deployments/${deployment.id}`).set(account.auth);
    expect(await read()).toMatchObject({ status: 'DESTROYING', reachability: null });
  });
});

describe('outage', () => {
  type Change = EventData<'deployment.reachability_changed'>;
  async function change(facts: Pick<Change, 'state' | 'at' | 'outage_from' | 'is_mailed'>): Promise<void> {
    const { id, client_name, user_id } = deployment;
    const data = { deployment_id: id, user_id, client_name, ...facts };
    await others.append(event('deployment.reachability_changed', id, data));
    await harness.run();
  }
  const mails = async () =>
    (await harness.mailsTo(account.email)).filter(({ subject }) => subject.includes('responding'));

  it('is emailed when it begins and when it ends, with the times', async () => {
    await change({ state: 'unreachable', at: '2026-11-30T08:02:00.000Z', outage_from: FROM, is_mailed: true });
    await change({ state: 'reachable', at: TO, outage_from: FROM, is_mailed: true });
    const [over, begun, ...more] = await mails();
    expect(more).toEqual([]);
    expect(begun?.subject).toBe(`${deployment.client_name} is not responding`);
    expect(begun?.text.replaceAll(/\s+/g, ' ')).toContain('since 2026-11-30 08:00 UTC');
    expect(over?.subject).toBe(`${deployment.client_name} is responding again`);
    expect(over?.text.replaceAll(/\s+/g, ' ')).toContain('from 2026-11-30 08:00 UTC to 2026-11-30 08:25 UTC');
  });

  it('is reported to the owner of the deployment by its stored name, whatever the event contains', async () => {
    const stranger = await harness.user();
    const facts = { state: 'unreachable', at: TO, outage_from: FROM, is_mailed: true } as const;
    const data = {
      deployment_id: deployment.id,
      user_id: stranger.id,
      client_name: 'Log in at evil.example',
      ...facts,
    };
    await others.append(event('deployment.reachability_changed', deployment.id, data));
    await harness.run();
    expect((await harness.mailsTo(stranger.email)).filter(({ subject }) => subject.includes('responding'))).toEqual([]);
    expect((await mails()).map(({ subject }) => subject)).toEqual([`${deployment.client_name} is not responding`]);
  });

  it('is not emailed beyond the daily limit, nor for the first response', async () => {
    await change({ state: 'reachable', at: FROM, outage_from: null, is_mailed: false });
    await change({ state: 'unreachable', at: TO, outage_from: FROM, is_mailed: false });
    expect(await mails()).toEqual([]);
  });

  it('is not emailed to an owner who turned off these emails', async () => {
    await harness.database.sql(`update users set muted_mails = '{deployment_trouble}' where id = $1`, [account.id]);
    await change({ state: 'unreachable', at: TO, outage_from: FROM, is_mailed: true });
    expect(await mails()).toEqual([]);
  });
});
