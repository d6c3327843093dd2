import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { handlersOf, openService, parseSettings, type ServiceBase } from '@moorage/runtime';
import { type ErrorFacts, SILENT } from '@moorage/server';
import { makeRunFolder, testDatabase, type TestDatabase } from '@moorage/testing';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Test } from '@nestjs/testing';
import { rm } from 'node:fs/promises';
import { BillingModule } from './billing.module';
import { BillingService } from './billing.service';
import { SettlingEvents } from './settling/settling.events';

describe('billing service', () => {
  const errors: ErrorFacts[] = [];
  let database: TestDatabase;
  let folder: string;
  let base: ServiceBase;
  beforeAll(async () => {
    database = await testDatabase();
    folder = await makeRunFolder();
    base = await openService({
      service: 'billing',
      settings: { ...parseSettings({}), DATA_DIR: folder },
      databaseUrl: database.urlOf('billing'),
      log: { ...SILENT, error: (_, facts = {}) => void errors.push(facts) },
      relays: false,
    });
  });
  afterAll(async () => {
    await base.close();
    await rm(folder, { recursive: true });
    await database.drop();
  });

  it('runs its jobs by schedule, in UTC, and continues after an error', async () => {
    const module = await Test.createTestingModule({ imports: [BillingModule.of(base)] }).compile();
    const billing = module.get(BillingService);
    const calls: string[] = [];
    for (const job of [
      'catchUp',
      'settleForgotten',
      'removeMoved',
      'warnLow',
      'audit',
      'prove',
      'lateAudit',
      'lateProof',
      'watch',
    ] as const)
      Object.assign(billing, {
        [job]: () => {
          calls.push(job);
          return job === 'audit' ? Promise.reject(new Error('no database')) : Promise.resolve();
        },
      });
    await module.init();
    try {
      const jobs = module.get(SchedulerRegistry).getCronJobs();
      // A real minute may start at any moment of this test.
      for (const job of jobs.values()) await job.stop();
      calls.length = 0;
      expect([...jobs].map(([name, job]) => [name, job.cronTime.source, job.cronTime.timeZone])).toEqual([
        ['billing.catch-up', '0 * * * * *', 'UTC'],
        ['billing.forgotten', '30 */5 * * * *', 'UTC'],
        ['billing.moves', '20 * * * * *', 'UTC'],
        ['billing.warnings', '15 7 * * * *', 'UTC'],
        ['billing.audit', '0 30 2 * * *', 'UTC'],
        ['billing.proof', '0 0 3 * * *', 'UTC'],
        ['billing.late-audit', '0 40 * * * *', 'UTC'],
        ['billing.late-proof', '0 50 * * * *', 'UTC'],
        ['billing.watch', '45 */5 * * * *', 'UTC'],
      ]);
      for (const job of jobs.values()) await job.fireOnTick();
      expect(calls).toEqual([
        'catchUp',
        'settleForgotten',
        'removeMoved',
        'warnLow',
        'audit',
        'prove',
        'lateAudit',
        'lateProof',
        'watch',
      ]);
      expect(errors.map(({ task }) => task)).toEqual(['billing.audit']);
    } finally {
      await module.close();
    }
  });

  it('exchanges events with the decorated handlers of its modules', async () => {
    const started: string[][] = [];
    const watched: ServiceBase = {
      ...base,
      startMessaging: ({ handlers, work }) => {
        started.push(Object.keys(handlers), Object.keys(work));
        return Promise.reject(new Error('seen'));
      },
      close: () => base.close(),
    };
    const module = await Test.createTestingModule({ imports: [BillingModule.of(watched)] }).compile();
    await expect(module.init()).rejects.toThrow('seen');
    await module.close();
    expect(started).toEqual([Object.keys(handlersOf([module.get(SettlingEvents)]).handlers), []]);
    expect(started[0]).toEqual(['deployment.status_changed', 'deployment.support_level_changed', 'deployment.resized']);
  });
});
