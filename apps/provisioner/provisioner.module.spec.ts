import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  BACKUP_WORK,
  CHECK_PROVIDER_WORK,
  CHECK_VPS_WORK,
  DECIDE_LEAK_WORK,
  DNS_CHECK_WORK,
  MAINTAIN_COPIES_WORK,
  APPLY_SSH_KEYS,
  APPLY_DOMAINS,
  FOLLOW_LOGS,
  RESTART_CONTAINER,
  COPY_TO_BUCKET,
  FIND_LEAKS_WORK,
  PREPARE_DOWNLOAD,
  RECONCILE_WORK,
  RUN_WORK,
  SERVER_CALLBACK_WORK,
  SHARED_SECRETS,
} from '@moorage/contracts';
import { HOUR_MS, STEP_NAMES } from '@moorage/domain';
import { type Handlers, openService, parseSettings, type ServiceBase } from '@moorage/runtime';
import { SealBox, Secrets, type ErrorFacts, parseSealKeys, SILENT } from '@moorage/server';
import { makeRunFolder, testDatabase, type TestDatabase } from '@moorage/testing';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Test, type TestingModule } from '@nestjs/testing';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupOptions } from './backups/backup-options';
import { CopyStores } from './backups/copy-stores';
import { ResticStore } from './backups/restic-store';
import { SimulatedStore } from './backups/simulated-store';
import { CertificateOptions } from './certificates/certificate-options';
import { CertificateCheck } from './certificates/types';
import { blockUntil } from './clouds/budget';
import { CatalogueRefresh } from './clouds/catalogue-refresh.service';
import { Clouds } from './clouds/cloud';
import { Sandbox } from './clouds/sandbox/sandbox';
import { DnsOptions } from './dns/dns-options';
import { DnsCheck } from './dns/types';
import { ProvisionerModule } from './provisioner.module';
import { ProvisionerSchedule } from './provisioner.schedule';
import { RecoverySweep } from './lifecycle/recovery-sweep.service';
import { LIVE_TIMEOUTS, RunTimeouts, SANDBOX_TIMEOUTS } from './runs/step-timeouts';
import { Dialer, DirectDialer, Ssh } from './ssh/types';
import { StackPackages } from './stacks/types';
import { StepTable } from './steps/step-table.service';
import { buildProvisioner } from '@moorage/tests/services/provisioner';

const SECRETS_KEYS = `k1:${Buffer.alloc(32, 9).toString('base64')}`;

describe('provisioner service', () => {
  const errors: ErrorFacts[] = [];
  let database: TestDatabase;
  let folder: string;
  let base: ServiceBase;
  beforeAll(async () => {
    database = await testDatabase();
    folder = await makeRunFolder();
    base = await openService({
      service: 'provisioner',
      settings: { ...parseSettings({ SECRETS_KEYS }), DATA_DIR: folder },
      databaseUrl: database.urlOf('provisioner'),
      log: { ...SILENT, error: (_, facts = {}) => void errors.push(facts) },
      relays: false,
    });
  });
  afterAll(async () => {
    await base.close();
    await rm(folder, { recursive: true });
    await database.drop();
  });

  const compile = (on: ServiceBase): Promise<TestingModule> =>
    Test.createTestingModule({ imports: [ProvisionerModule.of(on)] }).compile();

  /** Returns a service that only records what it is started with. */
  function noted(): { started: Handlers[]; on: ServiceBase } {
    const started: Handlers[] = [];
    const startMessaging: ServiceBase['startMessaging'] = (part) => {
      started.push(part);
      return Promise.reject(new Error('seen'));
    };
    return { started, on: { ...base, startMessaging, close: () => base.close() } };
  }

  it('handles events and work like a provisioner assembled by hand', async () => {
    const { started, on } = noted();
    const module = await compile(on);
    await expect(module.init()).rejects.toThrow('seen');
    const { db, clock, random, log, outbox, work, deployments } = base;
    const byHand = buildProvisioner({
      db,
      clock,
      random,
      log,
      outbox,
      work,
      deployments,
      secrets: new Secrets({
        box: new SealBox({ keys: parseSealKeys(SECRETS_KEYS), random }),
        clock,
        kinds: SHARED_SECRETS,
      }),
      clouds: module.get(Clouds, { strict: false }),
      ssh: module.get(Ssh, { strict: false }),
      dns: module.get(DnsCheck, { strict: false }),
      certificates: module.get(CertificateCheck, { strict: false }),
      packages: module.get(StackPackages, { strict: false }),
      timeouts: SANDBOX_TIMEOUTS,
    });
    await module.close();
    expect(started.map(({ handlers }) => Object.keys(handlers).sort())).toEqual([Object.keys(byHand.handlers).sort()]);
    const concurrencies = ({ work: kinds }: Handlers): Record<string, number> =>
      Object.fromEntries(Object.entries(kinds).map(([kind, { concurrency }]) => [kind, concurrency]));
    expect(started.map(concurrencies)).toEqual([concurrencies(byHand)]);
    expect(concurrencies(byHand)).toEqual({
      [RUN_WORK]: 5,
      [CHECK_VPS_WORK]: 2,
      [SERVER_CALLBACK_WORK]: 2,
      [CHECK_PROVIDER_WORK]: 1,
      [DNS_CHECK_WORK]: 2,
      [BACKUP_WORK]: 3,
      [MAINTAIN_COPIES_WORK]: 1,
      [PREPARE_DOWNLOAD]: 1,
      [COPY_TO_BUCKET]: 3,
      [APPLY_SSH_KEYS]: 3,
      [APPLY_DOMAINS]: 2,
      [FOLLOW_LOGS]: 10,
      [RESTART_CONTAINER]: 3,
      [RECONCILE_WORK]: 1,
      [FIND_LEAKS_WORK]: 1,
      [DECIDE_LEAK_WORK]: 1,
    });
  });

  it('has a step for every name', async () => {
    const module = await compile(base);
    const table = module.get(StepTable, { strict: false });
    expect(STEP_NAMES.filter((name) => typeof table.of(name).run !== 'function')).toEqual([]);
    await module.close();
  });

  it('runs a simulated provider, a live provider without credentials and a disabled provider side by side', async () => {
    const mixed = await compile({
      ...base,
      settings: { ...base.settings, CLOUD_AWS: 'off', CLOUD_HETZNER: 'live', CLOUD_LINODE: 'simulated' },
      startMessaging: (part) => base.startMessaging(part),
      close: () => base.close(),
    });
    const clouds = mixed.get(Clouds, { strict: false });
    const timeouts = mixed.get(RunTimeouts, { strict: false });
    const at = (cloud_provider: string) => timeouts.of({ server_type: 'new', cloud_provider });
    expect(clouds.of('linode')).toBe(mixed.get(Sandbox, { strict: false }).clouds.of('linode'));
    await expect(clouds.of('hetzner').list('here')).rejects.toMatchObject({
      kind: 'auth',
      message: expect.stringContaining('credentials'),
    });
    await expect(clouds.of('aws').list('here')).rejects.toMatchObject({
      kind: 'auth',
      message: expect.stringContaining('off'),
    });
    expect(at('linode')).toBe(SANDBOX_TIMEOUTS);
    expect(at('hetzner')).toBe(LIVE_TIMEOUTS);
    expect(timeouts.of({ server_type: 'vps', cloud_provider: null })).toBe(LIVE_TIMEOUTS);
    await mixed.close();
  });

  it('pauses for a rate-limited live provider in every process, and checks it at the start', async () => {
    const live = await compile({
      ...base,
      settings: {
        ...base.settings,
        CLOUD_HETZNER: 'live',
        HETZNER_TOKEN: 'a-token',
        HETZNER_BASE_URL: 'http://127.0.0.1:1',
      },
      startMessaging: (part) => base.startMessaging(part),
      close: () => base.close(),
    });
    const checked: (readonly string[])[] = [];
    const nothing = () => Promise.resolve();
    Object.assign(live.get(RecoverySweep, { strict: false }), {
      run: nothing,
      checkAllNow: async (providers: readonly string[]) => void checked.push(providers),
    });
    Object.assign(live.get(CatalogueRefresh, { strict: false }), { run: nothing });
    live.get(ProvisionerSchedule).onApplicationBootstrap();
    expect(checked).toEqual([['hetzner']]);
    const hetzner = live.get(Clouds, { strict: false }).of('hetzner');
    await base.db.tx('test', async (tx) => {
      const now = await base.clock.now(tx);
      await blockUntil(tx, hetzner, { now, until: now + HOUR_MS });
    });
    await expect(hetzner.list('here')).rejects.toMatchObject({ kind: 'rate_limit' });
    await live.close();
  });

  it('has no sandbox without a simulated provider, so addresses are used as they are', async () => {
    const off = await compile({
      ...base,
      settings: { ...base.settings, CLOUD_MODE: 'live' },
      startMessaging: (part) => base.startMessaging(part),
      close: () => base.close(),
    });
    expect(off.get(Dialer, { strict: false })).toBeInstanceOf(DirectDialer);
    expect(off.get(DnsOptions, { strict: false }).sandbox).toBeNull();
    expect(off.get(CertificateOptions, { strict: false }).sandboxAnchors).toBeNull();
    await off.close();
  });

  /** Opens a process with these additional settings. `restic` prints the given text. */
  async function withTarget(printed: string, more: Record<string, string> = {}): Promise<TestingModule> {
    const restic = join(folder, 'restic-program');
    await writeFile(restic, `#!/bin/sh\necho '${printed}'\n`);
    await chmod(restic, 0o755);
    const target = {
      SECRETS_KEYS,
      BACKUP_TARGET: 'rest:https://backups.internal/',
      BACKUP_TARGET_USER: 'platform',
      BACKUP_TARGET_PASSWORD: 'x',
      BACKUP_HOSTS_URL: 'rest:https://backups.example.com/',
      BACKUP_HTPASSWD_FILE: join(folder, 'htpasswd'),
      RESTIC_PATH: restic,
    };
    return compile({
      ...base,
      settings: { ...parseSettings({ ...target, ...more }), DATA_DIR: folder },
      startMessaging: (part) => base.startMessaging(part),
      close: () => base.close(),
    });
  }
  const RESTIC = '{"message_type":"version","version":"0.19.1"}';

  it('backs up real servers if there is a target, and simulated servers always', async () => {
    const module = await withTarget(RESTIC);
    const options = module.get(BackupOptions, { strict: false });
    expect(options.modeOf({ server_type: 'vps', cloud_provider: null })).toBe('real');
    expect(options.modeOf({ server_type: 'new', cloud_provider: 'hetzner' })).toBe('simulated');
    const stores = module.get(CopyStores, { strict: false });
    expect(stores.of('real')).toBeInstanceOf(ResticStore);
    expect(stores.of('simulated')).toBeInstanceOf(SimulatedStore);
    // No server has access yet, but the repository server that reads the file finds it.
    expect(await readFile(join(folder, 'htpasswd'), 'utf8')).toBe('');
    await module.close();
  });

  it.each([
    ['an old restic', RESTIC.replace('0.19.1', '0.14.0'), {}, 'RESTIC_PATH: restic 0.14.0 is too old'],
    ['no restic', RESTIC, { RESTIC_PATH: '/nowhere/restic' }, 'RESTIC_PATH: restic could not be started (ENOENT)'],
    [
      'an unwritable file',
      RESTIC,
      { BACKUP_HTPASSWD_FILE: '/nowhere/htpasswd' },
      /^BACKUP_HTPASSWD_FILE: cannot be written \(E/,
    ],
  ])('does not start with %s', async (_, printed, more, sentence) => {
    await expect(withTarget(printed, more)).rejects.toThrow(sentence);
  });

  it('sweeps at its start and each minute, in UTC, and continues after an error', async () => {
    const module = await compile(base);
    let sweeps = 0;
    let isDatabaseAway = false;
    Object.assign(module.get(RecoverySweep, { strict: false }), {
      run: () => {
        sweeps += 1;
        return isDatabaseAway ? Promise.reject(new Error('no database')) : Promise.resolve();
      },
    });
    await module.init();
    try {
      const jobs = module.get(SchedulerRegistry).getCronJobs();
      // A real minute may begin during this test.
      for (const job of jobs.values()) await job.stop();
      expect([...jobs].map(([name, job]) => [name, job.cronTime.source, job.cronTime.timeZone])).toEqual([
        ['provisioner.sweep', '15 * * * * *', 'UTC'],
        ['provisioner.catalogue', '45 * * * * *', 'UTC'],
        ['provisioner.reachability', '30 * * * * *', 'UTC'],
        ['provisioner.hosts', '40 * * * * *', 'UTC'],
        ['provisioner.names', '50 * * * * *', 'UTC'],
        ['provisioner.metrics', '0 7 * * * *', 'UTC'],
        ['provisioner.platform-records', '20 */5 * * * *', 'UTC'],
        ['provisioner.backups', '0 * * * * *', 'UTC'],
      ]);
      expect(sweeps).toBeGreaterThan(0);
      const before = sweeps;
      isDatabaseAway = true;
      for (const job of jobs.values()) await job.fireOnTick();
      isDatabaseAway = false;
      for (const job of jobs.values()) await job.fireOnTick();
      expect(sweeps).toBe(before + 2);
      expect(errors.map(({ task }) => task)).toEqual(['provisioner.sweep']);
    } finally {
      await module.close();
    }
  });
});
