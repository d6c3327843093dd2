import { describe, expect, it } from '@jest/globals';
import { type Log, SILENT } from '@moorage/server';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Test } from '@nestjs/testing';
import type { Billing } from './billing';
import { BillingModule } from './billing.module';

describe("billing's clocks", () => {
  const calls: string[] = [];
  const errors: string[] = [];
  const log: Log = { ...SILENT, error: (message, facts) => void errors.push(`${message}: ${String(facts?.clock)}`) };
  const tick = (name: string) => () => {
    calls.push(name);
    return name === 'audit' ? Promise.reject(new Error('no database')) : Promise.resolve({ warned: 0 } as never);
  };
  const billing: Billing = {
    runDay: tick('run'),
    ticks: {
      catchUp: tick('catch up'),
      settleForgotten: tick('forgotten'),
      warnLow: tick('warn'),
      audit: tick('audit'),
      prove: tick('prove'),
      lateAudit: tick('late audit'),
      lateProof: tick('late proof'),
      watch: tick('watch'),
    },
    look: tick('look'),
    handlers: {},
  };

  it('are set in UTC, call their tick, and go on after an error', async () => {
    const module = await Test.createTestingModule({ imports: [BillingModule.of({ billing, log })] }).compile();
    await module.init();
    try {
      const jobs = module.get(SchedulerRegistry).getCronJobs();
      expect([...jobs].map(([name, job]) => [name, job.cronTime.source, job.cronTime.timeZone])).toEqual([
        ['billing.catch-up', '0 * * * * *', 'UTC'],
        ['billing.forgotten', '30 */5 * * * *', 'UTC'],
        ['billing.warnings', '15 7 * * * *', 'UTC'],
        ['billing.audit', '0 30 2 * * *', 'UTC'],
        ['billing.proof', '0 0 3 * * *', 'UTC'],
        ['billing.late-audit', '0 40 * * * *', 'UTC'],
        ['billing.late-proof', '0 50 * * * *', 'UTC'],
        ['billing.watch', '45 */5 * * * *', 'UTC'],
      ]);
      for (const job of jobs.values()) await job.fireOnTick();
      expect(calls).toEqual(['catch up', 'forgotten', 'warn', 'audit', 'prove', 'late audit', 'late proof', 'watch']);
      expect(errors).toEqual(['a clock goes on after an error: audit']);
    } finally {
      await module.close();
    }
  });
});
