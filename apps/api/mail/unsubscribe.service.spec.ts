import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { event } from '@moorage/contracts';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { SealedLinks } from './sealed-links';

describe('unsubscribing from a type of email', () => {
  let api: ApiHarness;
  let jane: TestAccount;
  beforeAll(async () => {
    api = await apiHarness();
    jane = await api.user('jane');
  });
  afterAll(() => api.close());

  /** Returns the messages as written, with their headers unfolded. */
  const written = async (): Promise<string[]> => {
    const { folder } = api.settings.mail;
    const names = await readdir(folder);
    const rawEmails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    return rawEmails.map((rawEmail) => rawEmail.replace(/\n[ \t]+/g, ' '));
  };
  const about = async (subject: string): Promise<string> =>
    (await written()).find((rawEmail) => rawEmail.includes(`\nSubject: ${subject}`)) ?? '';
  const oneClick = (rawEmail: string): string =>
    /^List-Unsubscribe: *<http:\/\/moorage\.test(.*)>$/m.exec(rawEmail)?.[1] ?? '';
  const became = async (id: number, to: 'READY' | 'FAILED', client_name = 'shop'): Promise<void> => {
    await api.database.sql(
      `insert into deployments (id, user_id, ref, client_name, client_id, package, server_type, support_level,
         instance_hourly_micros, status, created_at, updated_at)
       values ($1, $2, $3, $4, $4, 'pangolin', 'new', 1, 35600, $5, now(), now()) on conflict (id) do nothing`,
      [id, jane.id, `ref-${id}`, client_name, to],
    );
    await api.deps.db.tx('test.event', (tx) =>
      api.deps.outbox.append(
        tx,
        event('deployment.status_changed', id, {
          deployment_id: id,
          user_id: jane.id,
          client_name,
          package: 'pangolin',
          from: 'PROVISIONING',
          to,
          failure_reason: null,
          failure: null,
          version: 2,
          billable_from: null,
          billable_to: null,
        }),
      ),
    );
    await api.run();
  };
  const muted = async () =>
    (await api.database.sql<{ muted_mails: string[] }>('select muted_mails from users where id = $1', [jane.id]))[0]
      ?.muted_mails;

  it('takes one click in an email client, while other types continue', async () => {
    await became(901, 'READY', 'first');
    const rawEmail = await about('first is ready');
    expect(rawEmail).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
    const url = oneClick(rawEmail);
    const { text = '' } = (await api.mailsTo(jane.email)).find(({ subject }) => subject === 'first is ready') ?? {};
    expect(text).toContain('http://moorage.test/unsubscribe?token=');

    const answer = await api.http.post(url).type('form').send('List-Unsubscribe=One-Click');
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        message: 'You\'ll no longer get emails of the type "Deployment ready".',
        code: 'access.unsubscribed',
        facts: { kind: { code: 'mail_kind.deployment_ready', facts: {}, detail: 'Deployment ready' } },
      },
    ]);
    expect((await api.http.post(url).field('List-Unsubscribe', 'One-Click')).status).toBe(200);
    expect((await api.http.post(url).send({})).status).toBe(200);
    expect((await api.http.post(url)).status).toBe(200);
    expect(await muted()).toEqual(['deployment_ready']);

    await became(902, 'READY', 'second');
    await became(903, 'FAILED', 'third');
    const subjects = (await api.mailsTo(jane.email)).map(({ subject }) => subject);
    expect(subjects).not.toContain('second is ready');
    expect(subjects).toContain('third failed');
  });

  it('opens the confirmation page in a browser without changing anything', async () => {
    const before = await muted();
    await became(911, 'FAILED', 'eleventh');
    const url = oneClick(await about('eleventh failed'));
    const opened = await api.http.get(url);
    expect([opened.status, opened.headers.location]).toEqual([303, url.replace('/api/mails', '')]);
    expect(await muted()).toEqual(before);
    for (const cut of ['', '?token=', `?token=${encodeURIComponent('x"><b>')}`]) {
      const { status, headers } = await api.http.get(`/api/mails/unsubscribe${cut}`);
      expect([status, headers.location]).toEqual([303, '/unsubscribe']);
    }
  });

  it('is offered by optional emails only', async () => {
    await api.deps.db.tx('test.event', (tx) =>
      api.deps.outbox.append(
        tx,
        event('payment.received', jane.id, {
          user_id: jane.id,
          amount_micros: '20000000',
          checkout_session_id: 'cs_1',
        }),
      ),
    );
    await api.run();
    expect(oneClick(await about('Welcome to Moorage'))).not.toBe('');
    expect(oneClick(await about('third failed'))).not.toBe('');
    for (const subject of ['Payment received', 'Verify your email address']) {
      const rawEmail = await about(subject);
      expect(rawEmail).toContain('To: jane@example.com');
      expect(rawEmail).not.toMatch(/unsubscribe/i);
    }
  });

  it.each([
    ['another purpose', (links: SealedLinks) => links.token('conversation', `${jane.id}:deployment_trouble`)],
    ['mandatory emails', (links: SealedLinks) => links.token('unsubscribe', `${jane.id}:security`)],
    ['an unknown account', (links: SealedLinks) => links.token('unsubscribe', '999999:deployment_trouble')],
    ['a forged link', () => `one.${'A'.repeat(60)}`],
    ['an incomplete link', () => 'one.AAA'],
  ])('is rejected with a token of %s', async (_, token) => {
    const before = await muted();
    const answer = await api.http.post('/api/mails/unsubscribe').query({ token: token(new SealedLinks(api.deps.box)) });
    expect(answer.status).toBe(422);
    expect(await muted()).toEqual(before);
  });
});
