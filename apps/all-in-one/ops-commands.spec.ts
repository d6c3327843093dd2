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
      settings: parseSettings({}),
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
