import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PackageFacts, ReleaseFacts } from '@moorage/contracts';
import { addDays, DAY_MS, dayOf, DEFAULT_UPDATE_SETTINGS, HOUR_MS } from '@moorage/domain';
import { PackageManifests } from '../catalogue/packages';
import { type Neighbours, neighbours, ordered } from '@moorage/tests/services/api/deployments';
import {
  type ApiHarness,
  apiHarness,
  type TestAccount,
  toFirstMinuteOfDay,
} from '@moorage/tests/services/api/api-harness';
import { VersionMails } from './version-mails.service';

const NEXT = '1.24.0-2';
let harness: ApiHarness;
let others: Neighbours;
let account: TestAccount;
let id: number;
let created = 0;
let releases: readonly ReleaseFacts[];
beforeAll(async () => {
  harness = await apiHarness();
  others = await neighbours(harness);
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.database.sql('delete from release_rollouts');
  // The pass only checks the account of the test.
  await harness.database.sql(`update version_checks set checked_at = 'infinity'`);
  releases = pangolin().releases;
  account = await harness.user();
  await harness.pay(account, 5000);
  id = await running();
});

const manifests = () => harness.api.app.get(PackageManifests, { strict: false });
function pangolin(): PackageFacts {
  const facts = manifests().find('pangolin');
  if (facts === null) throw new Error('there is no package pangolin');
  return facts;
}
/** Changes the manifest until the end of `action`. */
async function withReleases(
  change: (release: ReleaseFacts) => Partial<ReleaseFacts>,
  action: () => Promise<void>,
): Promise<void> {
  const facts = pangolin();
  Object.assign(facts, { releases: releases.map((release) => ({ ...release, ...change(release) })) });
  try {
    await action();
  } finally {
    Object.assign(facts, { releases });
  }
}

async function running(change: object = {}): Promise<number> {
  const domain = `mails${created++}.example.com`;
  const { id: ordering } = await ordered(harness, account, { domain, ...change });
  await others.moveTo(ordering, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
  await harness.database.sql(`update deployments set release = '1.24.0' where id = $1`, [ordering]);
  return ordering;
}
/** Offers the next version to everybody. Sessions of administrators end before support does. */
const offer = () =>
  harness.database.sql(
    `insert into release_rollouts (package, version, ring, state, counted_from, changed_at)
     values ('pangolin', $1, 'all', 'rolling', now(), now())`,
    [NEXT],
  );
const choose = (settings: object) =>
  harness.http
    .put(`/api/deployments/${id}/update-settings`)
    .set(account.auth)
    .send({ ...DEFAULT_UPDATE_SETTINGS, ...settings })
    .expect(200);
const turn = (is_on: boolean) =>
  harness.http
    .put('/api/users/self/notifications')
    .set(account.auth)
    .send({ kind: 'deployment_updates', is_on })
    .expect(200);

const SUBJECT = /update|version|security fixes/i;
/** Runs the next check of the account and returns its emails about versions so far. */
async function checked(afterMs = 5 * HOUR_MS): Promise<{ subject: string; text: string }[]> {
  harness.pass(afterMs);
  await harness.api.app.get(VersionMails, { strict: false }).pass();
  await harness.run();
  const mails = await harness.mailsTo(account.email);
  return mails.filter(({ subject }) => SUBJECT.test(subject)).map(({ subject, text }) => ({ subject, text }));
}
const subjects = async (afterMs?: number) => (await checked(afterMs)).map(({ subject }) => subject);

describe('email about available versions', () => {
  it('names the version, what it brings and where to update, once', async () => {
    expect(await checked()).toEqual([]);
    await offer();
    const [mail, ...more] = await checked();
    expect(more).toEqual([]);
    expect(mail?.subject).toMatch(`Version ${NEXT} is available for `);
    expect(mail?.text.replace(/\s+/g, ' ')).toMatch(
      /: Pangolin 1\.24\.0-2 \(now 1\.24\.0\), with bug fixes\. Traefik 3\.7\.14 with its bug fixes\./,
    );
    expect(mail?.text).toContain(`http://moorage.test/dashboard?deployment=${id}`);
    expect(await subjects(8 * DAY_MS)).toHaveLength(1);
  });

  it('comes at most once in seven days, and then lists what became available', async () => {
    await offer();
    expect(await subjects()).toHaveLength(1);
    await running();
    await running();
    expect(await subjects(6 * DAY_MS)).toHaveLength(1);
    const all = await subjects(DAY_MS + HOUR_MS);
    expect(all).toHaveLength(2);
    expect(all).toContain('New versions are available for 2 deployments');
  });

  it('names twenty deployments and counts the others', async () => {
    for (let n = 1; n < 22; n++) await harness.database.sql(COPY, [id, `copy-${id}-${n}`]);
    await offer();
    const [mail] = await checked();
    expect(mail?.subject).toBe('New versions are available for 22 deployments');
    expect(mail?.text.match(/dashboard\?deployment=/g)).toHaveLength(20);
    expect(mail?.text).toContain('And 2 more:');
  });

  it('begins with security fixes, and says so in the subject', async () => {
    await withReleases(
      ({ version }) => (version === NEXT ? { kind: 'security' } : {}),
      async () => {
        await offer();
        expect(await subjects()).toEqual([expect.stringMatching(/^Security update for .*: version 1\.24\.0-2$/)]);
      },
    );
  });

  it('names the security update that follows after a patch, even if security updates are automatic', async () => {
    const [first, patch] = releases;
    if (first === undefined || patch === undefined) throw new Error('there are no two releases');
    const facts = pangolin();
    Object.assign(facts, { releases: [first, patch, { ...patch, version: '1.24.1', kind: 'security' }] });
    try {
      await offer();
      await harness.database.sql(`insert into release_rollouts (package, version, ring, state, counted_from, changed_at)
        values ('pangolin', '1.24.1', 'all', 'rolling', now(), now())`);
      await choose({ automatic: 'security' });
      const [mail] = await checked();
      expect(mail?.subject).toMatch(/^Security update for .*: version 1\.24\.1$/);
      expect(mail?.text.replace(/\s+/g, ' ')).toMatch(
        /with bug fixes\. .* A security update to version 1\.24\.1 follows after it\./,
      );
    } finally {
      Object.assign(facts, { releases });
    }
  });

  it.each<[string, () => PromiseLike<unknown>]>([
    ['the version is held', () => choose({ is_held: true })],
    ['it is installed automatically', () => choose({ automatic: 'patch' })],
    ['the deployment is being restarted', () => setStatus('RESTARTING')],
    ['the deployment no longer exists', () => end()],
    ['the last update to it was undone', () => harness.database.sql(UNDONE, [id, JSON.stringify({ release: NEXT })])],
    ['the owner turned these emails off', () => turn(false)],
  ])('is not sent when %s', async (_, prepare) => {
    await offer();
    await prepare();
    expect(await checked()).toEqual([]);
  });

  it('is sent when its owner turns these emails on again', async () => {
    await offer();
    await turn(false);
    expect(await checked()).toEqual([]);
    await turn(true);
    expect(await subjects()).toHaveLength(1);
  });

  it('is sent once by two processes that check at the same time', async () => {
    await offer();
    harness.pass(5 * HOUR_MS);
    const mails = harness.api.app.get(VersionMails, { strict: false });
    await Promise.all([mails.pass(), mails.pass()]);
    expect(await subjects(0)).toHaveLength(1);
  });
});

describe('email about the end of support', () => {
  beforeEach(() => toFirstMinuteOfDay(harness));
  const inDays = (days: number): string => addDays(dayOf(harness.deps.clock.localNow()), days);

  it('is sent 60 and 14 days before and on the day after, with the next version', async () => {
    const until = inDays(61);
    await withReleases(
      ({ version }) => (version === '1.24.0' ? { supported_until: until } : {}),
      async () => {
        expect(await checked(0)).toEqual([]);
        const [first] = await checked(DAY_MS);
        expect(first?.subject).toMatch(/^Security fixes for .* end on \d+ \w+ \d{4}$/);
        expect(first?.text).toContain('We do not offer a newer version for it yet.');
        expect(await subjects(45 * DAY_MS)).toHaveLength(1);
        expect(await subjects(DAY_MS)).toHaveLength(2);
        expect(await subjects(14 * DAY_MS)).toHaveLength(2);
        await offer();
        const mails = await checked(DAY_MS);
        const ended = mails.filter(({ subject }) => subject.endsWith('no longer gets security fixes'));
        expect(ended.map(({ text }) => text.replace(/\s+/g, ' '))).toEqual([
          expect.stringContaining(`You can update it to version ${NEXT} in the details:`),
        ]);
        expect(await subjects(30 * DAY_MS)).toHaveLength(mails.length);
      },
    );
  });

  it('starts anew when the date is moved', async () => {
    let until = inDays(10);
    const change = ({ version }: ReleaseFacts) => (version === '1.24.0' ? { supported_until: until } : {});
    await withReleases(change, async () => expect(await subjects()).toHaveLength(1));
    until = addDays(until, 365);
    await withReleases(change, async () => {
      expect(await subjects()).toHaveLength(1);
      expect(await subjects(320 * DAY_MS)).toHaveLength(2);
    });
  });

  it('is forgotten with the deployment', async () => {
    const until = inDays(30);
    const notices = () => harness.database.sql('select 1 from version_notices where deployment_id = $1', [id]);
    await withReleases(
      () => ({ supported_until: until }),
      async () => {
        await checked();
        expect(await notices()).toHaveLength(1);
        await end();
        expect(await subjects(DAY_MS)).toHaveLength(1);
        expect(await notices()).toEqual([]);
      },
    );
  });
});

const setStatus = (status: string) =>
  harness.database.sql('update deployments set status = $2 where id = $1', [id, status]);
const end = async () => {
  await setStatus('RESTARTING');
  await others.moveTo(id, 'DESTROYING', 'DESTROYED');
};
const UNDONE = `
insert into deployment_changes (deployment_id, kind, state, before, after, requested_at, finished_at, taken_back_at)
values ($1, 'update', 'failed', '{"release":"1.24.0","version":"1.24.0"}', $2, now(), now(), now())`;
/** Another running deployment of the same owner. */
const COPY = `
insert into deployments (user_id, ref, client_name, client_id, package, server_type, support_level,
  instance_hourly_micros, status, release, created_at, updated_at)
select user_id, $2, client_name, $2, package, server_type, support_level, instance_hourly_micros, 'READY', release,
  created_at, updated_at from deployments where id = $1`;
