import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OperatorHealthAnswer } from '@moorage/contracts';
import { Alerts, type RaisedAlert } from '@moorage/database';
import { DAY_MS, HOUR_MS, iso, MINUTE_MS } from '@moorage/domain';
import { SILENT } from '@moorage/server';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { Mails } from '../mail/mails.service';
import { AlertMail } from './alert-mail.service';

let api: ApiHarness;
let admin: TestAccount;
let alerts: Alerts;
let alertMail: AlertMail;

async function open(options: { settings?: Partial<ApiHarness['settings']> } = {}): Promise<void> {
  api = await apiHarness(options);
  alerts = new Alerts({ clock: api.deps.clock, log: SILENT });
  alertMail = alertMailWith(new Mails(api.deps.clock, api.deps.box, api.deps.work));
}
const alertMailWith = (mails: Mails) => new AlertMail(api.deps.db, api.deps.clock, api.deps.log, alerts, mails);
const raise = (alert: RaisedAlert) => api.deps.db.tx('test.raise', (tx) => alerts.raise(tx, alert));
const resolve = (alert: RaisedAlert) => api.deps.db.tx('test.resolve', (tx) => alerts.resolve(tx, alert));
const kinds = async () =>
  (await api.deps.db.tx('test.open', (tx) => alerts.open(tx))).map(({ kind }) => kind as string).sort();

describe('alert emails', () => {
  beforeEach(async () => {
    await open();
    admin = await api.admin();
    await api.run();
  });
  afterEach(() => api.close());

  const mailed = async (account: TestAccount = admin) => {
    await alertMail.run();
    await api.run();
    return (await api.mailsTo(account.email)).filter(({ subject }) => subject.includes('operations'));
  };

  it('are sent to administrators once a day per kind while it lasts, even if others open', async () => {
    await raise({ kind: 'delivery_parked', subject: 'api', facts: { count: 7 } });
    expect(await mailed()).toHaveLength(1);
    await raise({ kind: 'delivery_parked', subject: 'billing' });
    expect(await mailed()).toHaveLength(1);
    await raise({ kind: 'mail_unsent' });
    await raise({ kind: 'books_breached', subject: 'I1' });
    // The check in the same tick finds all emails sent.
    expect((await mailed()).map(({ subject }) => subject).sort()).toEqual([
      '[Moorage operations] Deliveries are parked.',
      '[Moorage operations] The ledger does not balance.',
    ]);
    api.pass(DAY_MS - MINUTE_MS);
    expect(await mailed()).toHaveLength(2);
    api.pass(MINUTE_MS);
    expect(await mailed()).toHaveLength(4);
    await resolve({ kind: 'delivery_parked', subject: 'api' });
    await resolve({ kind: 'delivery_parked', subject: 'billing' });
    api.pass(DAY_MS);
    expect((await mailed()).filter(({ subject }) => subject.includes('parked'))).toHaveLength(2);
  });

  it('are sent once a day for a flapping alert, and never for one that closed before', async () => {
    for (let round = 0; round < 5; round++) {
      await raise({ kind: 'event_unsent' });
      expect(await mailed()).toHaveLength(1);
      await resolve({ kind: 'event_unsent' });
      api.pass(MINUTE_MS);
    }
    await raise({ kind: 'event_missing' });
    await resolve({ kind: 'event_missing' });
    expect(await mailed()).toHaveLength(1);
  });

  it('state what happened, since when, how often, with twenty entries at most and a link', async () => {
    for (let server = 10; server < 35; server++) {
      await raise({
        kind: 'delivery_parked',
        subject: `consumer-${server}`,
        facts: { count: server, first: [{ at: 1 }] },
      });
    }
    const [mail] = await mailed();
    const text = (mail?.text ?? '').replaceAll('\n', ' ');
    expect(text).toMatch(
      /delivery_parked consumer-10, since \d{4}-\d\d-\d\d \d\d:\d\d UTC; count: 10; first: \[\{"at":1\}\]/,
    );
    expect(text.match(/consumer-/g)).toHaveLength(20);
    expect(text).toContain('And 5 more of this kind.');
    expect(mail?.text).toMatch(/^http:\/\/moorage\.test\/api\/health\/details$/m);
  });

  it('are sent to verified administrators only', async () => {
    const second = await api.admin();
    const user = await api.user();
    const gone = await api.deactivated();
    const unverified = await api.unverified();
    await api.database.sql('update users set is_admin = true where id = any($1)', [[gone.id, unverified.id]]);
    await raise({ kind: 'event_unsent' });
    expect(await mailed()).toHaveLength(1);
    expect(await mailed(second)).toHaveLength(1);
    for (const other of [user, gone, unverified]) expect(await mailed(other)).toEqual([]);
  });

  it('are sent once by two concurrent processes', async () => {
    const mails = new Mails(api.deps.clock, api.deps.box, api.deps.work);
    let first = alertMail;
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const posted = new Promise<void>((resolve) => {
      const slow = Object.create(mails, {
        post: {
          async value(...mail: Parameters<Mails['post']>) {
            await mails.post(...mail);
            resolve();
            await held;
          },
        },
      }) as Mails;
      first = alertMailWith(slow);
    });
    await raise({ kind: 'event_unsent' });
    const ticked = first.run();
    await posted;
    await alertMail.run();
    goOn();
    await ticked;
    expect(await mailed()).toHaveLength(1);
  });

  it('are removed when old, while open alerts remain', async () => {
    await raise({ kind: 'event_unsent' });
    await raise({ kind: 'event_missing' });
    await resolve({ kind: 'event_unsent' });
    api.pass(91 * DAY_MS);
    await alertMail.clean();
    expect(await api.database.sql('select kind from operator_alerts')).toEqual([{ kind: 'event_missing' }]);
  });
});

describe('operator health page', () => {
  beforeEach(async () => {
    await open();
    admin = await api.admin();
  });
  afterEach(() => api.close());

  const details = async (who: TestAccount = admin) => {
    const { status, body } = await api.http.get('/api/health/details').set(who.auth);
    return { status, body: body as OperatorHealthAnswer };
  };

  it('is for administrators only and reveals nothing to other callers', async () => {
    await raise({ kind: 'books_breached', subject: 'I1' });
    expect((await details(await api.user())).status).toBe(403);
    expect((await api.http.get('/api/health/details')).status).toBe(401);
    const ready = await api.http.get('/api/health/ready');
    expect(ready.text).not.toContain('books');
  });

  it('shows open alerts and the times of the last checks', async () => {
    expect((await details()).body).toEqual({
      status: 'ok',
      checked_at: null,
      audited_at: null,
      daily_run: null,
      transports: { events: 'postgresql', work: 'postgresql', troubles: [] },
      alerts: [],
    });
    await api.deps.db.tx('test.checked', (tx) => alerts.checked(tx, 'watch'));
    await raise({ kind: 'books_breached', subject: 'I1', facts: { count: 2 } });
    await api.database.sql(`insert into billing_runs (day, started_at, passed_at) values ('2026-12-01', now(), now())`);
    expect((await details()).body).toMatchObject({
      status: 'attention',
      checked_at: expect.any(String),
      daily_run: { day: '2026-12-01', passed_at: expect.any(String), finished_at: null },
      alerts: [
        {
          kind: 'books_breached',
          title: 'The ledger does not balance.',
          subject: 'I1',
          facts: { count: 2 },
          mailed_at: null,
        },
      ],
    });
  });

  it('raises an alert when billing stops running its checks', async () => {
    await api.database.sql(`insert into installation (key, created_at) values ('k', $1)`, [
      iso(api.deps.clock.localNow() - HOUR_MS),
    ]);
    expect((await details()).body.status).toBe('attention');
    // Billing may just be starting as well.
    await alertMail.run();
    expect(await kinds()).toEqual([]);
    api.pass(16 * MINUTE_MS);
    await alertMail.run();
    expect(await kinds()).toEqual(['watch_late']);
    await api.deps.db.tx('test.checked', (tx) => alerts.checked(tx, 'watch'));
    await alertMail.run();
    expect((await details()).body).toMatchObject({ status: 'ok', alerts: [] });
    api.pass(16 * MINUTE_MS);
    expect((await details()).body.status).toBe('attention');
    await alertMail.run();
    expect(await kinds()).toEqual(['watch_late']);
  });
});

describe('alerts while the mail server is down', () => {
  let down: Awaited<ReturnType<typeof mailServer>>;
  beforeEach(async () => {
    down = await mailServer();
    await open({ settings: { mail: { from: 'Moorage <no-reply@moorage.test>', url: down.url, folder: '' } } });
  });
  afterEach(async () => {
    await down.close();
    await api.close();
  });

  it('wait for it, raise their own alert after an hour, and arrive once it is back', async () => {
    await api.database.sql(
      `insert into users (username, email, email_normalised, password_hash, is_admin, is_verified, referral_code, created_at)
       values ('root', 'root@example.com', 'root@example.com', '-', true, true, 'root', now())`,
    );
    await raise({ kind: 'event_unsent' });
    await alertMail.run();
    await expect(api.run()).rejects.toThrow();
    expect(await kinds()).toEqual(['event_unsent']);
    api.pass(HOUR_MS + MINUTE_MS);
    await alertMail.run();
    expect(await kinds()).toEqual(['event_unsent', 'mail_unsent']);

    down.answers = true;
    api.pass(15 * MINUTE_MS);
    await api.run();
    expect(down.subjects().sort()).toEqual([
      '[Moorage operations] Emails are not being sent.',
      '[Moorage operations] Events are not being sent.',
    ]);
    await alertMail.run();
    expect(await kinds()).toEqual(['event_unsent']);
  });
});

/** Starts a mail server that closes every connection until `answers` is true. */
async function mailServer(): Promise<{ url: string; answers: boolean; subjects(): string[]; close(): Promise<void> }> {
  const rawEmails: string[] = [];
  const talk = (socket: Socket): void => {
    let rawEmail: string | null = null;
    socket.on('error', () => undefined);
    socket.write('220 test\r\n');
    socket.on('data', (bytes) => {
      const text = bytes.toString();
      if (rawEmail !== null) {
        rawEmail += text;
        if (!rawEmail.endsWith('\r\n.\r\n')) return;
        rawEmails.push(rawEmail);
        rawEmail = null;
        return void socket.write('250 taken\r\n');
      }
      if (/^DATA/m.test(text)) {
        rawEmail = '';
        return void socket.write('354 go on\r\n');
      }
      if (/^QUIT/m.test(text)) return void socket.end('221 bye\r\n');
      socket.write('250 yes\r\n');
    });
  };
  const server: Server = createServer((socket) => (state.answers ? talk(socket) : socket.destroy()));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const state = {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers: false,
    subjects: () => rawEmails.map((rawEmail) => /^Subject: (.*)$/m.exec(rawEmail)?.[1]?.trim() ?? ''),
    close: () => new Promise<void>((done) => server.close(() => done())),
  };
  return state;
}
