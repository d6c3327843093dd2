import { CLOUD_NAMES, providerMode } from '@moorage/domain';
import { cloudSetupOf, ScheduledTasks, ServiceBase } from '@moorage/runtime';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { BackupSchedule } from './backups/backup-schedule.service';
import { PrepareDownload } from './backups/prepare-download.use-case';
import { CatalogueRefresh } from './clouds/catalogue-refresh.service';
import { SweepPlatformRecords } from './platform-dns/sweep-platform-records.use-case';
import { RecoverySweep } from './lifecycle/recovery-sweep.service';
import { CheckProvider } from './servers/check-provider.use-case';
import { HostChecks } from './watch/host-checks.service';
import { MetricsRollup } from './watch/metrics-rollup.service';
import { NameChecks } from './watch/name-checks.service';
import { ResponseChecks } from './watch/response-checks.service';

const SWEEP = 'provisioner.sweep';
const CATALOGUE = 'provisioner.catalogue';
const REACHABILITY = 'provisioner.reachability';
const HOSTS = 'provisioner.hosts';
const NAMES = 'provisioner.names';
const METRICS = 'provisioner.metrics';
const CHECK = 'provisioner.look';
const BACKUPS = 'provisioner.backups';
const PLATFORM_RECORDS = 'provisioner.platform-records';
const ADOPT_BACKUPS = 'provisioner.adopt-backups';

/** Runs the recovery sweep at the start, which may follow an outage, and every minute. */
@Injectable()
export class ProvisionerSchedule implements OnApplicationBootstrap {
  constructor(
    private readonly recovery: RecoverySweep,
    private readonly checks: CheckProvider,
    private readonly catalogue: CatalogueRefresh,
    private readonly reachability: ResponseChecks,
    private readonly hosts: HostChecks,
    private readonly names: NameChecks,
    private readonly metrics: MetricsRollup,
    private readonly backups: BackupSchedule,
    private readonly downloads: PrepareDownload,
    private readonly platformRecords: SweepPlatformRecords,
    private readonly tasks: ScheduledTasks,
    private readonly base: ServiceBase,
  ) {}

  /** Not awaited, so that the service starts to handle events and work immediately. */
  onApplicationBootstrap(): void {
    void this.sweep();
    void this.refresh();
    void this.checkLiveProviders();
    void this.adoptBackups();
  }

  private checkLiveProviders(): Promise<void> {
    const setup = cloudSetupOf(this.base.settings);
    const live = CLOUD_NAMES.filter((name) => providerMode(setup, name) === 'live');
    return this.tasks.run(CHECK, async () => {
      await this.recovery.checkAllNow(live);
      await this.checks.checkNow(live);
    });
  }

  private adoptBackups(): Promise<void> {
    return this.tasks.run(ADOPT_BACKUPS, () => this.backups.adopt());
  }

  @Cron('15 * * * * *', { name: SWEEP, timeZone: 'UTC', waitForCompletion: true })
  sweep(): Promise<void> {
    return this.tasks.run(SWEEP, () => this.recovery.run());
  }

  @Cron('45 * * * * *', { name: CATALOGUE, timeZone: 'UTC', waitForCompletion: true })
  refresh(): Promise<void> {
    return this.tasks.run(CATALOGUE, () => this.catalogue.run());
  }

  @Cron('30 * * * * *', { name: REACHABILITY, timeZone: 'UTC', waitForCompletion: true })
  checkReachability(): Promise<void> {
    return this.tasks.run(REACHABILITY, () => this.reachability.run());
  }

  @Cron('40 * * * * *', { name: HOSTS, timeZone: 'UTC', waitForCompletion: true })
  checkHosts(): Promise<void> {
    return this.tasks.run(HOSTS, () => this.hosts.run());
  }

  @Cron('50 * * * * *', { name: NAMES, timeZone: 'UTC', waitForCompletion: true })
  checkNames(): Promise<void> {
    return this.tasks.run(NAMES, () => this.names.run());
  }

  @Cron('0 7 * * * *', { name: METRICS, timeZone: 'UTC', waitForCompletion: true })
  rollUpMetrics(): Promise<void> {
    return this.tasks.run(METRICS, () => this.metrics.run());
  }

  @Cron('20 */5 * * * *', { name: PLATFORM_RECORDS, timeZone: 'UTC', waitForCompletion: true })
  sweepPlatformRecords(): Promise<void> {
    return this.tasks.run(PLATFORM_RECORDS, () => this.platformRecords.run());
  }

  @Cron('0 * * * * *', { name: BACKUPS, timeZone: 'UTC', waitForCompletion: true })
  planBackups(): Promise<void> {
    return this.tasks.run(BACKUPS, async () => {
      await this.backups.run();
      await this.downloads.removeOld();
    });
  }
}
