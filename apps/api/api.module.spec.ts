import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVENTS } from '@moorage/contracts';
import { openService, parseSettings, type ServiceBase } from '@moorage/runtime';
import { SealBox, type ErrorFacts, SILENT } from '@moorage/server';
import { makeRunFolder, testDatabase, type TestDatabase } from '@moorage/testing';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Test, type TestingModule } from '@nestjs/testing';
import { rm } from 'node:fs/promises';
import { AlertMail } from './alerts/alert-mail.service';
import { SealMail } from './alerts/seal-mail.service';
import { ApiServiceModule } from './api.module';
import { RateLimiter } from './http/rate-limiter.service';
import { TEST_SETTINGS } from '@moorage/tests/services/api/api-harness';
import { LiveService } from './live/live.service';
import { AutomaticTopUps } from './payments/automatic/automatic-top-ups.service';
import { AutomaticUpdates } from './updates/automatic-updates.service';
import { CheckImages } from './images/check-images.use-case';
import { VersionMails } from './updates/version-mails.service';
import { Mailbox } from './mail/mailbox.service';
import { ComparePayments } from './payments/compare-payments.use-case';
import { SweepCheckouts } from './payments/sweep-checkouts.use-case';
import { startApi } from './process';
import type { ApiSettings } from './settings';

describe('api service', () => {
  const errors: ErrorFacts[] = [];
  const log = { ...SILENT, error: (_: string, facts: ErrorFacts = {}) => void errors.push(facts) };
  const settings = { ...parseSettings({ PORT: '0' }), DATA_DIR: '' };
  let database: TestDatabase;
  let base: ServiceBase;
  beforeAll(async () => {
    database = await testDatabase();
    settings.DATA_DIR = await makeRunFolder();
    base = await openService({ service: 'api', settings, databaseUrl: database.urlOf('api'), log, relays: false });
  });
  afterAll(async () => {
    await base.close();
    await rm(settings.DATA_DIR, { recursive: true });
    await database.drop();
  });

  /** Builds the module. `started` collects the arguments with which messaging would be started. */
  async function built(
    change: Partial<ApiSettings> = {},
  ): Promise<{ module: TestingModule; started: Parameters<ServiceBase['startMessaging']>[0][] }> {
    const started: Parameters<ServiceBase['startMessaging']>[0][] = [];
    const alone: ServiceBase = {
      ...base,
      startMessaging: (part) => {
        started.push(part);
        return Promise.resolve({} as Awaited<ReturnType<ServiceBase['startMessaging']>>);
      },
      close: () => base.close(),
    };
    const box = new SealBox({ keys: [{ id: 'test', key: Buffer.alloc(32, 7) }], random: base.random });
    const service = ApiServiceModule.of({
      base: alone,
      settings: { ...TEST_SETTINGS, ...change },
      boxes: { shared: box, account: box, links: box },
    });
    const module = await Test.createTestingModule({ imports: [service] }).compile();
    return { module, started };
  }

  it('runs its jobs on schedule in UTC and continues after an error', async () => {
    const { module } = await built();
    const calls: string[] = [];
    const replace = (target: object, method: string): void => {
      const call = `${target.constructor.name}.${method}`;
      const replaced = () => {
        calls.push(call);
        return method === 'heartbeat' ? Promise.reject(new Error('no database')) : Promise.resolve();
      };
      Object.assign(target, { [method]: replaced });
    };
    replace(module.get(RateLimiter), 'clean');
    replace(module.get(LiveService), 'heartbeat');
    replace(module.get(AlertMail), 'run');
    replace(module.get(AlertMail), 'clean');
    replace(module.get(SealMail), 'run');
    replace(module.get(Mailbox), 'clean');
    replace(module.get(SweepCheckouts), 'run');
    replace(module.get(ComparePayments), 'run');
    replace(module.get(AutomaticTopUps), 'pass');
    replace(module.get(AutomaticUpdates), 'pass');
    replace(module.get(VersionMails), 'pass');
    replace(module.get(CheckImages), 'run');
    await module.init();
    try {
      const jobs = module.get(SchedulerRegistry).getCronJobs();
      const found = [...jobs].map(([name, { cronTime }]) => [name, cronTime.source, cronTime.timeZone] as const);
      expect(found.sort(([a], [b]) => (a < b ? -1 : 1))).toEqual([
        ['alerts.clean', '40 20 * * * *', 'UTC'],
        ['alerts.mail', '10 * * * * *', 'UTC'],
        ['alerts.seal', '25 * * * * *', 'UTC'],
        ['auth.clean', '20 */10 * * * *', 'UTC'],
        ['automatic_top_ups.pass', '15 * * * * *', 'UTC'],
        ['automatic_updates.pass', '45 * * * * *', 'UTC'],
        ['images.check', '0 40 4 * * *', 'UTC'],
        ['live.heartbeat', '*/15 * * * * *', 'UTC'],
        ['mail.clean', '35 10 * * * *', 'UTC'],
        ['payments.compare', '0 20 3 * * *', 'UTC'],
        ['payments.sweep', '50 */5 * * * *', 'UTC'],
        ['support.warn', '40 * * * * *', 'UTC'],
        ['version_mails.pass', '5 */5 * * * *', 'UTC'],
      ]);
      for (const job of jobs.values()) await job.fireOnTick();
      expect(new Set(calls)).toEqual(
        new Set([
          'RateLimiter.clean',
          'LiveService.heartbeat',
          'AlertMail.run',
          'AlertMail.clean',
          'SealMail.run',
          'Mailbox.clean',
          'SweepCheckouts.run',
          'ComparePayments.run',
          'AutomaticTopUps.pass',
          'AutomaticUpdates.pass',
          'VersionMails.pass',
          'CheckImages.run',
        ]),
      );
      expect(new Set(errors.map(({ task }) => task))).toEqual(new Set(['live.heartbeat']));
    } finally {
      await module.close();
    }
  });

  it('exchanges events and work through the handlers its modules declare', async () => {
    const { module, started } = await built();
    await module.init();
    await module.close();
    const [part] = started;
    expect(Object.keys(part?.handlers ?? {}).sort()).toEqual(Object.keys(EVENTS).sort());
    expect(Object.entries(part?.work ?? {}).map(([kind, { concurrency }]) => [kind, concurrency])).toEqual(
      expect.arrayContaining([
        ['send-mail', 2],
        ['retry-stripe-event', 2],
        ['look-at-payment', 2],
        ['make-refund', 2],
      ]),
    );
  });

  it('has no mailbox and no mailbox job when a mail server is configured', async () => {
    const { module } = await built({ mail: { from: 'a@moorage.test', url: 'smtp://127.0.0.1:1', folder: '' } });
    expect(() => module.get(Mailbox)).toThrow();
    await module.init();
    expect([...module.get(SchedulerRegistry).getCronJobs().keys()]).not.toContain('mail.clean');
    await module.close();
  });

  it('runs as a process, with the first administrator created, until it is stopped', async () => {
    const running = await startApi({ settings, databaseUrl: database.urlOf('api'), log, relays: false });
    expect(running.firstAdmin?.email).toBe(settings.ADMIN_EMAIL);
    const { status } = await fetch(`${running.url}/api/health/ready`);
    expect(status).toBe(200);
    await running.stop();
    await expect(fetch(`${running.url}/api/health/live`)).rejects.toThrow();
  });

  it('does not start when a provider cannot be built, and leaves the port free', async () => {
    const process = { databaseUrl: database.urlOf('api'), log, relays: false };
    const running = await startApi({ ...process, settings });
    const port = Number(new URL(running.url).port);
    await running.stop();
    const wrong = { ...settings, PORT: port, PACKAGES_DIR: '/nonexistent' };
    await expect(startApi({ ...process, settings: wrong })).rejects.toThrow(/ENOENT/);
    const again = await startApi({ ...process, settings: { ...settings, PORT: port } });
    await again.stop();
  });
});
