import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Service } from '@moorage/database';
import { parseSettings } from '@moorage/runtime';
import { SILENT } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { commands } from './ops-commands';

describe("operators' commands", () => {
  let database: TestDatabase;
  const printed: string[] = [];
  beforeEach(async () => {
    database = await testDatabase();
    printed.length = 0;
  });
  afterEach(() => database.drop());

  async function ops(name: string, ...args: string[]): Promise<string> {
    printed.length = 0;
    const context = {
      settings: parseSettings({ SECRETS_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}` }),
      databaseUrl: database.url,
      urlOf: (service: Service) => Promise.resolve(database.urlOf(service)),
      log: SILENT,
      print: (line: string) => void printed.push(line),
    };
    await commands.find((known) => known.name === name)?.run(context, args);
    return printed.join('\n');
  }

  it('health lists what is wrong and refuses; the look of the operator is not the clock’s', async () => {
    expect(await ops('health')).toMatch(/billing looked at no time yet by itself\n.*\nNo alert is open\.$/);
    await database.sql(
      `insert into operator_alerts (kind, subject, facts, first_seen_at, last_seen_at)
       values ('server_reappeared', 'hetzner', '{"count": 2}', '2026-12-01T12:00:00Z', '2026-12-01T12:00:00Z')`,
    );
    await expect(ops('health')).rejects.toThrow('one alert is open');
    expect(printed.at(-1)).toBe(
      'server_reappeared hetzner: Lost servers are there again. Since 2026-12-01T12:00:00.000Z, not mailed: {"count":2}',
    );
    expect(printed[0]).toBe('billing looked at no time yet by itself');
  });

  it('billing:audit says what it covered, health what the newest one did', async () => {
    expect(await ops('billing:audit')).toBe(
      'audited: every posting (no month is closed)\nEvery invariant of the books holds.',
    );
    expect(await ops('billing:audit', '--whole')).toMatch(/^audited: every posting \(asked for\)\n/);
    expect(await ops('health')).toContain('\nthat covered every posting (asked for)\n');
    await expect(ops('billing:audit', '--all')).rejects.toThrow('usage: billing:audit [--whole]');
  });

  it('payments:compare says what it compared, and refuses when something differs', async () => {
    expect(await ops('payments:compare')).toBe('compared: 0 payments, refunds and disputes\nThe books agree.');
    await database.sql(
      `insert into users (username, email, email_normalised, password_hash, referral_code, created_at)
         values ('jane', 'jane@example.com', 'jane@example.com', 'x', 'X', now())`,
    );
    await database.sql(
      `insert into checkout_sessions (id, user_id, amount_cents, test_mode, url, status, payment_intent, created_at, paid_at)
         select 'cs_live_1', id, 1000, true, '', 'paid', 'pi_of_elsewhere', now() - interval '3 hours', now() - interval '2 hours' from users where username = 'jane'`,
    );
    await database.sql(
      `insert into payment_movements (id, reversal_id, payment_intent, kind, amount_micros, posted_micros, created_at, posted_at)
         values ('txn_of_elsewhere', 're_1', 'pi_of_elsewhere', 'refund', 1000000, 1000000, now() - interval '2 hours', now())`,
    );
    await expect(ops('payments:compare')).rejects.toThrow(/differ; administrators see them/);
  });

  it('account:reset-two-factor turns it off, records who decided, and tells the owner', async () => {
    const reset = (email: string) => ops('account:reset-two-factor', email, 'mira', 'phone', 'lost');
    await expect(ops('account:reset-two-factor', 'jane@example.com')).rejects.toThrow(
      /^usage: account:reset-two-factor/,
    );
    const [jane] = await database.sql<{ id: number }>(
      `insert into users (username, email, email_normalised, password_hash, referral_code, created_at, two_factor_at)
         values ('jane', 'jane@example.com', 'jane@example.com', 'x', 'X', now(), now()) returning id`,
    );
    await database.sql(`insert into recovery_codes (user_id, code_hash, created_at) values ($1, 'x', now())`, [
      jane?.id,
    ]);
    expect(await reset('Jane@example.com')).toBe('done: the password alone lets its owner in');
    expect(await database.sql('select two_factor_at from users')).toEqual([{ two_factor_at: null }]);
    expect(await database.sql('select 1 from recovery_codes')).toEqual([]);
    expect(await database.sql('select action, subject, facts from audit_records')).toEqual([
      { action: 'account.two_factor_reset', subject: `user:${jane?.id}`, facts: { by: 'mira', reason: 'phone lost' } },
    ]);
    expect(await database.sql('select recipient, template from mails')).toEqual([
      { recipient: 'jane@example.com', template: 'two_factor_off' },
    ]);
    await expect(reset('jane@example.com')).rejects.toThrow('no account with this address has two-factor');
  });

  it('parked:retry --all asks for consumer, instant, name and reason', async () => {
    const all = (...args: string[]) => ops('parked:retry', '--all', ...args);
    await expect(all()).rejects.toThrow(/^usage: parked:retry --all/);
    await expect(all('--consumer', 'api', '--since', '2026-12-01T00:00:00Z', 'mira')).rejects.toThrow(/^usage/);
    await expect(all('--consumer', 'apo', '--since', '2026-12-01T00:00:00Z', 'mira', 'why')).rejects.toThrow(
      'not a consumer: apo (api, provisioner, billing)',
    );
    await expect(all('--consumer', 'api', '--since', 'noon', 'mira', 'why')).rejects.toThrow('not an instant: noon');
    expect(await all('--consumer', 'api', '--since', '2026-12-01T00:00:00Z', 'mira', 'the', 'bug', 'is', 'fixed')).toBe(
      '0 deliveries of api that were parked since 2026-12-01T00:00:00.000Z are tried again',
    );
  });
});
