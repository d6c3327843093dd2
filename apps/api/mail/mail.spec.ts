import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { event } from '@moorage/contracts';
import { Alerts } from '@moorage/database';
import { DAY_MS, LANGUAGES, MINUTE_MS, STEP_MESSAGES } from '@moorage/domain';
import { AlertMail } from '../alerts/alert-mail.service';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { SealBox } from '@moorage/server';
import { SERVER_TEXTS } from '@moorage/texts/server';
import type { ApiSettings } from '../settings';
import { createMailTransport } from './mail-transport';
import { Mailbox } from './mailbox.service';
import { Mails, openFacts, rotateMails } from './mails.service';

const EVERYTHING = { email: 'root@example.com', isAdmin: true, since: 0 };

describe('email to files', () => {
  let api: ApiHarness;
  let jane: TestAccount;
  let admin: TestAccount;
  beforeAll(async () => {
    api = await apiHarness();
    [jane, admin] = [await api.user('jane'), await api.admin()];
    await api.run();
  });
  afterAll(() => api.close());

  it('writes an email as a file with text, HTML and headers', async () => {
    const folder = api.settings.mail.folder;
    const names = await readdir(folder);
    const rawEmails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    const rawEmail =
      rawEmails.find((text) => text.includes('To: jane@example.com') && text.includes('Verify your email address')) ??
      '';
    expect(rawEmail).toMatch(/^From: Moorage <no-reply@moorage\.test>$/m);
    expect(rawEmail).toMatch(/^Subject: Verify your email address for Moorage$/m);
    expect(rawEmail).toMatch(/^Content-Type: multipart\/alternative;/m);
    expect(rawEmail).toMatch(/^Content-Type: text\/plain; charset=utf-8/m);
    expect(rawEmail).toMatch(/^Content-Type: text\/html; charset=utf-8/m);
    expect(rawEmail).toMatch(/^Auto-Submitted: auto-generated$/m);
    // On a line of its own, so that a script finds it.
    expect(rawEmail).toMatch(/^http:\/\/moorage\.test\/verify-email\?token=\w{32}$/m);
    expect(names.every((name) => /^\d{10}\.eml$/.test(name))).toBe(true);
  });

  it('sends one email per event, however often it is handled', async () => {
    const facts = { user_id: jane.id, amount_micros: '20000000', checkout_session_id: 'cs_1' };
    await api.deps.db.tx('test.event', (tx) => api.deps.outbox.append(tx, event('payment.received', jane.id, facts)));
    const handler = api.api.handlers['payment.received'];
    const [row] = await api.database.sql<{ event_id: string }>(
      `select event_id from outbox where event_name = 'payment.received' order by id desc limit 1`,
    );
    for (let i = 0; i < 3; i++) {
      await api.deps.db.tx('test.again', async (tx) =>
        handler?.(tx, {
          event_id: row?.event_id ?? '',
          stream: 'payment',
          event_name: 'payment.received',
          version: 1,
          occurred_at: '2026-12-01T00:00:00.000Z',
          aggregate_id: String(jane.id),
          sequence: 1,
          correlation_id: 'x',
          data: facts,
        }),
      );
    }
    await api.run();
    expect(
      (await api.mailsTo(jane.email)).filter(({ subject }) => subject === 'Payment received: $20.00'),
    ).toHaveLength(1);
  });

  it('preserves names in any script', async () => {
    const email = 'lukasz@example.com';
    await api.http.post('/api/users').send({ username: 'Łukasz 山田', email, password: 'secret-1' });
    await api.http.get('/api/auth/verify-email').query({ token: await api.linkToken(email, 'verify-email') });
    await api.run();
    const rawEmail = (await api.mailsTo(email)).find(({ subject }) => subject.startsWith('Welcome'));
    expect(rawEmail?.text).toContain('Hello Łukasz 山田,');
  });

  it('sends no email to an erased account', async () => {
    const account = await api.user();
    await api.run();
    await api.database.sql('update users set erased_at = now() where id = $1', [account.id]);
    const before = (await api.mailsTo(account.email)).length;
    await api.deps.db.tx('test.event', (tx) =>
      api.deps.outbox.append(
        tx,
        event('payment.received', account.id, {
          user_id: account.id,
          amount_micros: '1000000',
          checkout_session_id: 'cs_2',
        }),
      ),
    );
    await api.run();
    expect((await api.mailsTo(account.email)).length).toBe(before);
  });

  it('reseals unsent emails when the keys change, readable without the old key', async () => {
    const cause = 'test:before the keys changed';
    const facts = { username: 'jane' };
    await api.deps.db.tx('test.mail', (tx) =>
      new Mails(api.deps.clock, api.deps.box, api.deps.work).post(tx, {
        cause,
        recipient: jane.email,
        template: 'welcome',
        facts,
        language: 'en',
      }),
    );
    const next = { id: 'next', key: Buffer.alloc(32, 9) };
    const { random, clock, db, box: before } = api.deps;
    // Both keys are known for the moment, the new one first.
    const box = new SealBox({ keys: [next], random });
    box.open = (sealed, place) => before.open(sealed, place);
    expect(await db.tx('test.rotate', (tx) => rotateMails(tx, { clock, box, batch: 200 }))).toBe(0);
    const [row] = await api.database.sql<Parameters<typeof openFacts>[1]>(
      'select cause, facts from mails where cause = $1',
      [cause],
    );
    if (row === undefined) throw new Error('the mail is gone');
    expect(JSON.parse(openFacts(new SealBox({ keys: [next], random }), row))).toEqual(facts);
    expect(() => openFacts(before, row)).toThrow();
    await api.database.sql('delete from mails where cause = $1', [cause]);
  });

  it('never writes a line break into a header', async () => {
    const { deps } = api;
    await deps.db.tx('test.mail', async (tx) => {
      const facts = deps.box.seal(
        JSON.stringify({ deployment_id: 1, client_name: 'x\r\nBcc: v@example.com', package: 'p' }),
        'mails/test:inject',
      );
      const stored = {
        key_id: facts.key_id,
        nonce: facts.nonce.toString('base64'),
        ciphertext: facts.ciphertext.toString('base64'),
      };
      const [row] = await tx.query<{ id: string }>(
        `insert into mails (cause, recipient, template, facts, created_at) values ('test:inject', 'inject@example.com', 'deployment_running', $1, now()) returning id`,
        [JSON.stringify(stored)],
      );
      await deps.work.schedule(tx, { kind: 'send-mail', key: row?.id ?? '', due_at: 0 });
    });
    await api.run();
    expect(await api.mailsTo('inject@example.com')).toMatchObject([{ subject: 'x Bcc: v@example.com is ready' }]);
    expect(await api.mailsTo('v@example.com')).toEqual([]);
    const files = await readdir(api.settings.mail.folder);
    const rawEmails = await Promise.all(files.map((name) => readFile(join(api.settings.mail.folder, name), 'utf8')));
    expect(rawEmails.filter((rawEmail) => /^Bcc:/m.test(rawEmail.split('\n\n')[0] ?? ''))).toEqual([]);
  });

  describe('mailbox', () => {
    it('shows administrators the emails, newest first', async () => {
      const list = await api.http.get('/api/mailbox').set(admin.auth);
      const rawEmails = list.body as { id: number; to: string; subject: string }[];
      expect(rawEmails.length).toBeGreaterThan(3);
      expect(rawEmails.map(({ id }) => id)).toEqual([...rawEmails.map(({ id }) => id)].sort((a, b) => b - a));
      const one = await api.http.get(`/api/mailbox/${rawEmails[0]?.id}`).set(admin.auth);
      expect(one.body).toMatchObject({
        id: rawEmails[0]?.id,
        subject: rawEmails[0]?.subject,
        text: expect.stringContaining('Moorage'),
        html: expect.stringContaining('<title>'),
      });
    });

    it('shows other users only emails to their own address', async () => {
      const all = (await api.http.get('/api/mailbox').set(admin.auth)).body as { id: number; to: string }[];
      const own = (await api.http.get('/api/mailbox').set(jane.auth)).body as { id: number; to: string }[];
      expect(own.length).toBeGreaterThan(0);
      expect(new Set(own.map(({ to }) => to))).toEqual(new Set(['jane@example.com']));
      expect((await api.http.get(`/api/mailbox/${own[0]?.id}`).set(jane.auth)).status).toBe(200);
      const foreign = all.find(({ to }) => to !== 'jane@example.com');
      expect((await api.http.get(`/api/mailbox/${foreign?.id}`).set(jane.auth)).status).toBe(404);
      expect((await api.http.get('/api/mailbox')).status).toBe(401);
    });

    it('shows nothing written to a previous account with the same address', async () => {
      const before = await api.user('kim');
      await api.database.sql(
        `update users set email = 'moved@example.com', email_normalised = 'moved@example.com' where id = $1`,
        [before.id],
      );
      api.pass(DAY_MS);
      const after = await api.http
        .post('/api/users')
        .send({ username: 'kim-two', email: before.email, password: 'pass-kim-two' });
      expect(after.status).toBe(201);
      const login = await api.http.post('/api/auth/login').send({ username: before.email, password: 'pass-kim-two' });
      await api.run();
      const auth = { authorization: `Bearer ${(login.body as { access_token: string }).access_token}` };
      const listed = (await api.http.get('/api/mailbox').set(auth)).body as { id: number }[];
      expect(listed).toHaveLength(1);
      const all = (await api.http.get('/api/mailbox').set(admin.auth)).body as { id: number; to: string }[];
      const earlier = all.find(({ id, to }) => to === before.email && id !== listed[0]?.id);
      expect((await api.http.get(`/api/mailbox/${earlier?.id}`).set(auth)).status).toBe(404);
    });

    it.each(['999999', '..%2f..%2fetc%2fpasswd', '0', '1.eml'])('returns 404 for %s', async (id) => {
      expect((await api.http.get(`/api/mailbox/${id}`).set(admin.auth)).status).toBe(404);
    });

    it('removes old emails', async () => {
      const mailbox = new Mailbox(api.settings);
      const before = (await mailbox.list(EVERYTHING)).length;
      await mailbox.clean(Date.now() - DAY_MS);
      expect(await mailbox.list(EVERYTHING)).toHaveLength(before);
      await mailbox.clean(Date.now() + DAY_MS);
      expect(await mailbox.list(EVERYTHING)).toEqual([]);
    });

    it('does not exist when a mail server is configured', async () => {
      const other = await apiHarness({
        settings: { mail: { from: 'a@moorage.test', url: 'smtp://127.0.0.1:1', folder: '/nonexistent' } },
      });
      expect(other.api.served().some(({ path }) => path.startsWith('/mailbox'))).toBe(false);
      await other.close();
    });
  });
});

describe('email by SMTP', () => {
  it('is delivered, and permanent failures are distinguished from temporary ones', async () => {
    const server = await smtpServer();
    const transport = createMailTransport(
      { from: 'Moorage <no-reply@moorage.test>', url: server.url, folder: '' },
      { host: 'moorage.test' },
    );
    const rawEmail = {
      id: '5',
      subject: 'Grüße, Łukasz',
      text: 'Some text\n.\nand a dot',
      html: '<p>Grüße, 山田</p>',
      oneClickUrl: `https://moorage.test/api/mails/unsubscribe?token=k1.${'a'.repeat(90)}`,
      at: Date.UTC(2026, 11, 1),
    };
    expect(await transport.deliver({ ...rawEmail, to: 'jane@example.com' })).toBe('sent');
    expect(server.rawEmails[0]).toMatch(/Message-ID: <mail-5@moorage.test>/);
    expect(server.rawEmails[0]).toMatch(/^To: jane@example.com/m);
    expect(server.rawEmails[0]?.replace(/:\s+</g, ': <')).toContain(
      `\r\nList-Unsubscribe: <${rawEmail.oneClickUrl}>\r\n`,
    );
    expect(server.rawEmails[0]).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
    expect(await readBack(server.rawEmails[0] ?? '')).toMatchObject({
      to: 'jane@example.com',
      subject: rawEmail.subject,
      created_at: '2026-12-01T00:00:00.000Z',
      text: expect.stringContaining(rawEmail.text),
      html: expect.stringContaining(rawEmail.html),
    });
    expect(await transport.deliver({ ...rawEmail, to: 'unknown@example.com' })).toBe('address');
    expect(await transport.deliver({ ...rawEmail, to: 'full@example.com' })).toBe('mailbox');
    for (const to of ['later@example.com', 'quota@example.com', 'policy@example.com'])
      await expect(transport.deliver({ ...rawEmail, to })).rejects.toThrow();
    await server.close();
  });

  it('arrives once after the server was down for an hour', async () => {
    const before = await smtpServer();
    await before.close();
    const mail = { from: 'Moorage <no-reply@moorage.test>', url: before.url, folder: '' };
    const api = await apiHarness({ settings: { mail } });
    const words = { name: 'Jane', email: 'jane@example.com', subject: 'Invoice', message: 'Where is it?' };
    // The form responds as usual.
    expect((await api.http.post('/api/support/contact').send(words)).status).toBe(201);
    let failures = 0;
    for (let minute = 0; minute < 60; minute++) {
      await api.run().catch(() => failures++);
      api.pass(MINUTE_MS);
    }
    expect(failures).toBeGreaterThan(5);
    const unsent = 'select recipient from mails where sent_at is null order by recipient';
    expect(await api.database.sql(unsent)).toHaveLength(2);
    const after = await smtpServer(Number(new URL(before.url).port));
    api.pass(15 * MINUTE_MS);
    await api.run();
    await api.run();
    const recipients = after.rawEmails.map((rawEmail) => /^To: (.*)$/m.exec(rawEmail)?.[1]?.trim());
    expect(recipients.sort()).toEqual(['jane@example.com', 'support@moorage.test']);
    expect(await api.database.sql(unsent)).toEqual([]);
    await after.close();
    await api.close();
  });
});

describe('bounced email', () => {
  let server: Awaited<ReturnType<typeof smtpServer>>;
  let api: ApiHarness;
  beforeEach(async () => {
    server = await smtpServer();
    const mail = { from: 'Moorage <no-reply@moorage.test>', url: server.url, folder: '' };
    api = await apiHarness({ settings: { mail } });
  });
  afterEach(async () => {
    await api.close();
    await server.close();
  });

  const alerts = async (): Promise<string[]> => {
    const { db, clock, box, work, log } = api.deps;
    const queue = new Mails(clock, box, work);
    await new AlertMail(db, clock, log, new Alerts({ clock, log }), queue).run();
    return (await api.database.sql<{ kind: string }>('select kind from operator_alerts where resolved_at is null')).map(
      ({ kind }) => kind,
    );
  };
  /** Works for this number of minutes, ignoring refusals. */
  const work = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute += 10) {
      await api.run().catch(() => undefined);
      api.pass(10 * MINUTE_MS);
    }
  };
  const mailsOf = (name: string) =>
    api.database.sql<object>(
      `select waits_for, sent_at is not null as sent, given_up_at is not null as given_up, facts = '{}' as emptied
       from mails where recipient = $1`,
      [`${name}@example.com`],
    );

  it('is given up at once when the address does not exist, and is shown on the account', async () => {
    const unknown = await api.unverified('unknown');
    await work(120);
    expect(await mailsOf('unknown')).toEqual([{ waits_for: 'mailbox', sent: false, given_up: true, emptied: true }]);
    expect(await alerts()).not.toContain('mail_unsent');
    expect((await api.http.get('/api/users/me').set(unknown.auth)).body).toMatchObject({ email_undeliverable: true });
    const { id, auth } = await api.unverified('root');
    await api.database.sql('update users set is_admin = true, is_verified = true where id = $1', [id]);
    expect((await api.http.get(`/api/users/${unknown.id}`).set(auth)).body).toMatchObject({
      email_undeliverable: true,
    });
    expect((await api.http.get(`/api/users/${unknown.id}/mails`).set(auth)).body).toMatchObject([
      { sent_at: null, given_up_at: expect.any(String), is_refused: true },
    ]);
    // The mailbox was created.
    delete server.refusals.unknown;
    await api.http.post('/api/users/resend-verification').set(unknown.auth);
    await work(10);
    expect((await api.http.get('/api/users/me').set(unknown.auth)).body).toMatchObject({ email_undeliverable: false });
  });

  it('is retried for days when the mailbox is full, without an operator alert', async () => {
    await api.unverified('full');
    await work(120);
    expect(await mailsOf('full')).toEqual([{ waits_for: 'mailbox', sent: false, given_up: false, emptied: false }]);
    expect(await alerts()).not.toContain('mail_unsent');
    delete server.refusals.full;
    await work(60);
    expect(await mailsOf('full')).toMatchObject([{ sent: true }]);
  });

  it.each(['quota', 'policy'])(
    'is retried for hours and raises an alert because of the operator’s %s',
    async (name) => {
      await api.unverified(name);
      await work(120);
      expect(await mailsOf(name)).toEqual([{ waits_for: 'server', sent: false, given_up: false, emptied: false }]);
      expect(await alerts()).toContain('mail_unsent');
      delete server.refusals[name];
      await work(60);
      expect(await mailsOf(name)).toMatchObject([{ sent: true }]);
      expect(await alerts()).not.toContain('mail_unsent');
    },
  );

  it('is given up after three days', async () => {
    await api.unverified('quota');
    await work(10);
    api.pass(3 * DAY_MS);
    await work(30);
    expect(await mailsOf('quota')).toEqual([{ waits_for: 'server', sent: false, given_up: true, emptied: true }]);
  });
});

describe('catalogue of emails', () => {
  const brand = { name: 'Moorage', supportEmail: 'support@moorage.test', publicUrl: 'http://moorage.test' };
  it('states amounts, times and what does not help', () => {
    const mail = SERVER_TEXTS.en.mails.grace_period_started(
      {
        client_name: 'jane-pangolin-123456',
        amount_micros: '854401',
        available_micros: '849999',
        ends_at: '2026-12-05T01:00:00.000Z',
        locked_micros: '4990000',
      },
      brand,
    );
    expect(JSON.stringify(mail.text)).toContain('costs $0.86 today, and your available balance is $0.84');
    expect(JSON.stringify(mail.text)).toContain('by Sat 5 Dec, 01:00 UTC');
    expect(JSON.stringify(mail.text)).toContain('Your referral credits of $4.99 do not count');
  });

  it.each([
    [
      'en',
      [
        'Your deployment jane-pangolin-123456 (pangolin) is running.',
        'Dashboard:',
        'https://a.example.com/',
        'Username: jane@example.com',
        'Logs:',
        'https://logs.example.com/',
        'The password is in the details of the deployment. We never send it by email:',
      ],
    ],
    [
      'de',
      [
        'Ihr Deployment jane-pangolin-123456 (pangolin) läuft.',
        'Dashboard:',
        'https://a.example.com/',
        'Benutzername: jane@example.com',
        'Protokolle:',
        'https://logs.example.com/',
        'Das Passwort steht in den Details des Deployments. Wir senden es nie per E-Mail:',
      ],
    ],
  ] as const)('states in %s where and as which user to log in, and links to the rest', (language, lines) => {
    const { text } = SERVER_TEXTS[language].mails.deployment_running(
      {
        deployment_id: 7,
        client_name: 'jane-pangolin-123456',
        package: 'pangolin',
        sign_in: [
          { title: { en: 'Dashboard', de: 'Dashboard' }, address: 'https://a.example.com/', user: 'jane@example.com' },
          { title: { en: 'Logs', de: 'Protokolle' }, address: 'https://logs.example.com/', user: null },
        ],
      },
      brand,
    );
    expect(text).toEqual([...lines, 'http://moorage.test/dashboard?deployment=7#sign-in']);
  });

  it.each([
    ['en', STEP_MESSAGES.cloud_capacity, `Reason: ${STEP_MESSAGES.cloud_capacity.detail}`],
    ['de', STEP_MESSAGES.cloud_capacity, 'Grund: Diese Servergröße ist in dieser Region ausverkauft.'],
    ['de', 'Sold out.', 'Grund: Sold out.'],
  ] as const)('states in %s why a deployment failed: %j', (language, reason, line) => {
    const { text } = SERVER_TEXTS[language].mails.deployment_failed(
      { deployment_id: 7, client_name: 'jane', reason },
      brand,
    );
    expect(text[1]).toContain(line);
  });

  it.each([
    [
      'en',
      'Your balance lasts until Wed 2 Dec (3 days 22 hours)',
      'Your balance lasts until Wed 2 Dec, 00:00 UTC. jane would then be deleted.',
      'Add $17.31 to run until Wed 9 Dec',
    ],
    [
      'de',
      'Ihr Guthaben reicht bis Mi 2. Dez (noch 3 Tage 22 Stunden)',
      'Ihr Guthaben reicht bis Mi 2. Dez, 00:00 UTC. Danach würde jane gelöscht.',
      '$17.31 aufladen, läuft bis Mi 9. Dez',
    ],
  ] as const)(
    'states the end of the balance in %s and offers the top-up that moves it',
    (language, subject, text, label) => {
      const mail = SERVER_TEXTS[language].mails.balance_low(
        {
          at: '2026-11-28T01:37:00.000Z',
          ends_at: '2026-12-02T00:00:00.000Z',
          client_name: 'jane',
          locked_micros: '0',
          top_ups: [{ amount_micros: '17310000', runs_until: '2026-12-09T00:00:00.000Z' }],
        },
        brand,
      );
      const url = 'http://moorage.test/billing?amount=17.31#add';
      expect(mail).toEqual({ subject, text: [text, { label, url }] });
    },
  );

  it.each(LANGUAGES)('promises a last backup in %s only where one is created', (language) => {
    const money = { client_name: 'jane', amount_micros: '1', locked_micros: '0' };
    const ends_at = '2026-12-05T01:00:00.000Z';
    const { balance_low: low, grace_period_started: waits, balance_depleted: ended } = SERVER_TEXTS[language].mails;
    const mails = (days?: { backup_days: number }, backup?: { deployment_id: number; until: string }) => [
      low({ ...money, ends_at, ...days }, brand),
      waits({ ...money, available_micros: '0', ends_at, ...days }, brand),
      ended({ ...money, ...(backup === undefined ? {} : { backup }) }, brand),
    ];
    for (const mail of mails()) expect(JSON.stringify(mail)).not.toMatch(/backup|sicherung|gesichert/i);
    for (const mail of mails({ backup_days: 7 }, { deployment_id: 7, until: ends_at }))
      expect(JSON.stringify(mail)).toMatch(language === 'de' ? /Sicherung/ : /last backup/);
  });
});

/** Returns a message received by a mail server as the mailbox parses it. */
async function readBack(rawEmail: string) {
  const folder = await mkdtemp(join(tmpdir(), 'mailbox-'));
  await writeFile(join(folder, '0000000005.eml'), rawEmail.replace(/\r\n\.(?=\.)/g, '\r\n').replace(/\.\r\n$/, ''));
  const mailbox = new Mailbox({ mail: { from: '', url: null, folder } } as ApiSettings);
  const read = await mailbox.read(EVERYTHING, 5);
  await rm(folder, { recursive: true });
  return read;
}

/** Minimal SMTP server. It refuses addresses beginning with "unknown" permanently and with "later" temporarily. */
/** Replies with which a mail server refuses recipients of these names. */
const REFUSALS: Readonly<Record<string, string>> = {
  unknown: '550 5.1.1 no such person',
  full: '452 4.2.2 mailbox full',
  later: '451 later',
  quota: '550 5.4.5 Daily user sending quota exceeded.',
  policy: '554 5.7.0 Message rejected. Try again later.',
};

async function smtpServer(
  port = 0,
): Promise<{ url: string; rawEmails: string[]; refusals: Record<string, string>; close(): Promise<void> }> {
  const rawEmails: string[] = [];
  const refusals = { ...REFUSALS };
  const server: Server = createServer((socket) => {
    let data: string | null = null;
    socket.write('220 test\r\n');
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      const text = bytes.toString();
      if (data !== null) {
        data += text;
        if (data.endsWith('\r\n.\r\n')) {
          rawEmails.push(data);
          data = null;
          socket.write('250 taken\r\n');
        }
        return;
      }
      const [, recipient = ''] = /^RCPT TO:<(\w+)/m.exec(text) ?? [];
      const refusal = refusals[recipient];
      if (refusal !== undefined) return void socket.write(`${refusal}\r\n`);
      if (/^DATA/m.test(text)) {
        data = '';
        return void socket.write('354 go on\r\n');
      }
      if (/^QUIT/m.test(text)) return void socket.end('221 bye\r\n');
      socket.write('250 yes\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rawEmails,
    refusals,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
