import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { event, type EventData } from '@moorage/contracts';
import { BACKUP_MESSAGES, DAY_MS } from '@moorage/domain';
import { dates } from '@moorage/texts/en/dates';
import { shownDay } from '@moorage/texts/shown-time';
import { type Neighbours, neighbours, ordered } from '@moorage/tests/services/api/deployments';
import {
  type ApiHarness,
  apiHarness,
  type TestAccount,
  toFirstMinuteOfDay,
} from '@moorage/tests/services/api/api-harness';

let api: ApiHarness;
let others: Neighbours;
let jane: TestAccount;
beforeAll(async () => {
  api = await apiHarness();
  others = await neighbours(api);
});
afterAll(() => api.close());
beforeEach(async () => {
  await toFirstMinuteOfDay(api);
  jane = await api.user();
  await api.pay(jane, 10_000);
});

async function running(level: 1 | 2 | 3): Promise<number> {
  const { id } = await ordered(api, jane, { support_level: level, client_name: 'harbour' });
  await others.moveTo(id, 'PROVISIONING', ['DNS_VALIDATION', { server_exists: true, instance_ip: '5.9.9.9' }], 'READY');
  return id;
}

async function subjects(subject: RegExp): Promise<string[]> {
  await api.run();
  return (await api.mailsTo(jane.email)).filter((mail) => subject.test(mail.subject)).map(({ text }) => text);
}

const failed = (id: number, change: Partial<EventData<'deployment.backup_changed'>> = {}) =>
  others.append(
    event('deployment.backup_changed', id, {
      deployment_id: id,
      user_id: jane.id,
      client_name: 'harbour',
      backup_id: 1,
      kind: 'scheduled',
      state: 'failed',
      failure: BACKUP_MESSAGES.disk_full({ free: 310, needed: 2_048 }),
      ...change,
    }),
  );

describe('failed backup', () => {
  it('is emailed with its reason and the next step, once a day per deployment', async () => {
    const id = await running(2);
    await failed(id);
    await failed(id, { backup_id: 2 });
    const mails = await subjects(/harbour could not be backed up/);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatch(/Reason: The server has 310 MB of free disk space. The backup needs 2048\sMB\./);
    expect(mails[0]).toContain('Delete what you no longer need on the server');
    expect(mails[0]).toContain(`http://moorage.test/deployments/${id}/backups`);
    await toFirstMinuteOfDay(api);
    await failed(id, { backup_id: 3 });
    expect(await subjects(/could not be backed up/)).toHaveLength(2);
  });

  it('is emailed as a failed last backup when the removal follows', async () => {
    await failed(await running(2), { kind: 'last', failure: BACKUP_MESSAGES.server_silent });
    expect(await subjects(/could not be backed up/)).toEqual([expect.stringContaining('could not take a last backup')]);
  });

  it.each<[string, Partial<EventData<'deployment.backup_changed'>>]>([
    ['it has not failed for good', { state: 'waiting', failure: null }],
    ['the restore that it was for is mailed', { kind: 'before_restore' }],
    ['the deployment was removed', { failure: BACKUP_MESSAGES.gone }],
  ])('is not emailed when %s', async (_, change) => {
    await failed(await running(2), change);
    expect(await subjects(/back/)).toEqual([]);
  });

  it('is not emailed to an owner who turned off these emails', async () => {
    await api.http
      .put('/api/users/self/notifications')
      .set(jane.auth)
      .send({ kind: 'deployment_trouble', is_on: false });
    await failed(await running(2));
    expect(await subjects(/back/)).toEqual([]);
  });
});

describe('copies', () => {
  it('are emailed with used and included size when they exceed the level', async () => {
    const id = await running(2);
    const data = { deployment_id: id, user_id: jane.id, client_name: 'harbour' };
    await others.append(
      event('deployment.backup_quota_exceeded', id, {
        ...data,
        used_bytes: 21_400_000_000,
        quota_bytes: 20_000_000_000,
      }),
    );
    expect(await subjects(/exceed the included storage/)).toEqual([
      expect.stringMatching(/use 21\.4 GB\. Its support level\s+includes 20 GB\./),
    ]);
  });

  it('are emailed when they failed a test', async () => {
    const id = await running(2);
    const data = { deployment_id: id, user_id: jane.id, client_name: 'harbour' };
    await others.append(event('deployment.backup_damaged', id, { ...data, failure: BACKUP_MESSAGES.copy_damaged }));
    expect(await subjects(/failed its test/)).toEqual([expect.stringContaining('The backup is damaged')]);
  });
});

describe('customer bucket', () => {
  const changed = (id: number, change: Partial<EventData<'deployment.backup_bucket_changed'>>) =>
    others.append(
      event('deployment.backup_bucket_changed', id, {
        deployment_id: id,
        user_id: jane.id,
        client_name: 'harbour',
        bucket: 'janes-backups',
        state: 'failed',
        failure: BACKUP_MESSAGES.bucket_refused,
        worked_before: true,
        ...change,
      }),
    );

  it('is emailed with the reason when it starts to fail', async () => {
    const id = await running(2);
    await changed(id, {});
    const mails = await subjects(/no longer reach your bucket/);
    expect(mails).toEqual([expect.stringContaining('Reason: The storage does not accept these keys.')]);
    expect(mails[0]).toContain(`http://moorage.test/deployments/${id}/backups`);
  });

  it.each<[string, Partial<EventData<'deployment.backup_bucket_changed'>>]>([
    ['goes on failing', { worked_before: false }],
    ['works', { state: 'ready', failure: null, worked_before: false }],
  ])('is not emailed when it %s', async (_, change) => {
    await changed(await running(2), change);
    expect(await subjects(/bucket/)).toEqual([]);
  });
});

describe('balance that ran out', () => {
  it.each([
    [2, 7],
    [3, 28],
  ] as const)('states at level %i that a last backup is stored for %i days', async (level, days) => {
    const id = await running(level);
    await depleted(id);
    const today = await now();
    const until = shownDay(today + days * DAY_MS, { dates, now: today });
    expect(await subjects(/is being deleted/)).toEqual([expect.stringContaining(`keep it until ${until}`)]);
  });

  it('promises no backup at level 1', async () => {
    await depleted(await running(1));
    expect(await subjects(/is being deleted/)).toEqual([expect.not.stringMatching(/backup/)]);
  });
});

const now = () => api.deps.db.tx('test.now', (tx) => api.deps.clock.now(tx));

async function depleted(id: number): Promise<void> {
  const facts = { client_name: 'harbour', day: '2026-11-30', due_at: '2026-11-30T00:00:00.000Z' };
  const money = { amount_micros: '854400', locked_micros: '0' };
  await api.deps.db.tx('test.depleted', (tx) =>
    api.deps.outbox.append(
      tx,
      event('balance.depleted', jane.id, { deployment_id: id, user_id: jane.id, ...facts, ...money }),
    ),
  );
}
