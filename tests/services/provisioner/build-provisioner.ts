import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Alerts, type Deployments } from '@moorage/database';
import { cloudSetup } from '@moorage/domain';
import type { Outbox, WorkSchedule } from '@moorage/messaging';
import { type Handlers, handlersOf, Metrics, parseSettings, type ServiceBase } from '@moorage/runtime';
import type { Clock, Db, Log, Random, Secrets } from '@moorage/server';
import { ApplySshKeys } from '@moorage/provisioner/access/apply-ssh-keys.use-case';
import { CustomerAccess } from '@moorage/provisioner/access/customer-access.service';
import { BackUp } from '@moorage/provisioner/backups/back-up.use-case';
import type { BackupOptions } from '@moorage/provisioner/backups/backup-options';
import { BackupPlans } from '@moorage/provisioner/backups/backup-plans.service';
import { BackupSchedule } from '@moorage/provisioner/backups/backup-schedule.service';
import type { BucketStore } from '@moorage/provisioner/backups/bucket/bucket-store';
import { ApplyDomains } from '@moorage/provisioner/domains/apply-domains.use-case';
import { CopyToBucket } from '@moorage/provisioner/backups/bucket/copy-to-bucket.use-case';
import { SimulatedBuckets } from '@moorage/provisioner/backups/bucket/simulated-buckets';
import type { CopyStores } from '@moorage/provisioner/backups/copy-stores';
import { HostCopies } from '@moorage/provisioner/backups/host-copies.service';
import { MaintainCopies } from '@moorage/provisioner/backups/maintain-copies.use-case';
import { PrepareDownload } from '@moorage/provisioner/backups/prepare-download.use-case';
import { ProveCopies } from '@moorage/provisioner/backups/prove-copies.use-case';
import { Repositories } from '@moorage/provisioner/backups/backup-repositories.service';
import { NewestBackup } from '@moorage/provisioner/backups/newest-backup.service';
import { Restores } from '@moorage/provisioner/backups/restores.service';
import { MemoryCopies, type SimulatedCopies } from '@moorage/provisioner/clouds/sandbox/simulated-copies';
import { SimulatedStore } from '@moorage/provisioner/backups/simulated-store';
import { CertificateChecks } from '@moorage/provisioner/certificates/certificate-checks.service';
import { ServerCallbacks } from '@moorage/provisioner/callbacks/server-callbacks.service';
import type { CertificateCheck } from '@moorage/provisioner/certificates/types';
import type { Clouds } from '@moorage/provisioner/clouds/cloud';
import { DnsChecks } from '@moorage/provisioner/dns/dns-checks.service';
import type { DnsCheck } from '@moorage/provisioner/dns/types';
import { DecideLeak } from '@moorage/provisioner/leaks/decide-leak.use-case';
import type { LeakOptions } from '@moorage/provisioner/leaks/leak-options';
import { FindLeaks } from '@moorage/provisioner/leaks/find-leaks.use-case';
import { FollowLogs } from '@moorage/provisioner/logs/follow-logs.use-case';
import { LogSecrets } from '@moorage/provisioner/logs/log-secrets.service';
import { RestartContainer } from '@moorage/provisioner/logs/restart-container.use-case';
import { MemoryPlatformDns } from '@moorage/provisioner/platform-dns/memory-platform-dns';
import type { PlatformDns } from '@moorage/provisioner/platform-dns/platform-dns';
import { PlatformRecordsService } from '@moorage/provisioner/platform-dns/platform-records.service';
import { SweepPlatformRecords } from '@moorage/provisioner/platform-dns/sweep-platform-records.use-case';
import type { ProvisionerOptions } from '@moorage/provisioner/provisioner-options';
import { Incidents } from '@moorage/provisioner/incidents/incidents.service';
import { ServerStates } from '@moorage/provisioner/incidents/server-states.service';
import { HostChecks } from '@moorage/provisioner/watch/host-checks.service';
import { MetricsRollup } from '@moorage/provisioner/watch/metrics-rollup.service';
import { NameChecks } from '@moorage/provisioner/watch/name-checks.service';
import { ResponseCheck } from '@moorage/provisioner/watch/response-check.service';
import { ResponseChecks } from '@moorage/provisioner/watch/response-checks.service';
import { WatchEvents } from '@moorage/provisioner/watch/watch-events.service';
import { Changes } from '@moorage/provisioner/lifecycle/changes.service';
import { Rollouts } from '@moorage/provisioner/lifecycle/rollouts.service';
import { RecoverySweep } from '@moorage/provisioner/lifecycle/recovery-sweep.service';
import { FollowMoves } from '@moorage/provisioner/moves/follow-moves.service';
import { MoveEvents } from '@moorage/provisioner/moves/move-events.service';
import { RunEvents } from '@moorage/provisioner/lifecycle/run-events.service';
import { RunLifecycle } from '@moorage/provisioner/lifecycle/run-lifecycle.service';
import { RunWalker } from '@moorage/provisioner/lifecycle/run-walker.service';
import {
  INTERVALS,
  type Intervals,
  type RunTimeouts,
  type StepTimeouts,
} from '@moorage/provisioner/runs/step-timeouts';
import { ConfirmLost } from '@moorage/provisioner/servers/confirm-lost.use-case';
import { EnteredCredentials } from '@moorage/provisioner/servers/entered-credentials.service';
import { DnsRecheck } from '@moorage/provisioner/servers/dns-recheck.service';
import { AddressChanges } from '@moorage/provisioner/servers/address-changes.service';
import { ProviderTrust } from '@moorage/provisioner/servers/provider-trust.policy';
import { ReconcileServers } from '@moorage/provisioner/servers/reconcile-servers.use-case';
import { ServerSessions } from '@moorage/provisioner/servers/server-sessions.service';
import { SharedRules } from '@moorage/provisioner/servers/shared-rules.policy';
import { type Dialer, DirectDialer, type Ssh } from '@moorage/provisioner/ssh/types';
import { StackService } from '@moorage/provisioner/stacks/stack.service';
import type { StackPackages } from '@moorage/provisioner/stacks/types';
import { BackUpSourceStep } from '@moorage/provisioner/steps/back-up-source.step';
import { BackUpStep } from '@moorage/provisioner/steps/back-up.step';
import { BootstrapStep } from '@moorage/provisioner/steps/bootstrap.step';
import { CheckHealthStep } from '@moorage/provisioner/steps/check-health.step';
import { CheckProvider } from '@moorage/provisioner/servers/check-provider.use-case';
import { CheckVps } from '@moorage/provisioner/servers/check-vps.use-case';
import { ConfirmRemovalStep } from '@moorage/provisioner/steps/confirm-removal.step';
import { CreateServerStep } from '@moorage/provisioner/steps/create-server.step';
import { DeleteServerStep } from '@moorage/provisioner/steps/delete-server.step';
import { FinishStep } from '@moorage/provisioner/steps/finish.step';
import { HandOverStep } from '@moorage/provisioner/steps/hand-over.step';
import { IssueCertificateStep } from '@moorage/provisioner/steps/issue-certificate.step';
import { OwnServerRemoval } from '@moorage/provisioner/steps/own-server-removal.service';
import { KeepDataStep } from '@moorage/provisioner/steps/keep-data.step';
import { KeepServerStep } from '@moorage/provisioner/steps/keep-server.step';
import { PreflightStep } from '@moorage/provisioner/steps/preflight.step';
import { PullImagesStep } from '@moorage/provisioner/steps/pull-images.step';
import { RebootServerStep } from '@moorage/provisioner/steps/reboot-server.step';
import { RemoveRecordsStep } from '@moorage/provisioner/steps/remove-records.step';
import { RemoveStackStep } from '@moorage/provisioner/steps/remove-stack.step';
import { RestoreDataStep } from '@moorage/provisioner/steps/restore-data.step';
import { ResizeServerStep } from '@moorage/provisioner/steps/resize-server.step';
import { RestartStackStep } from '@moorage/provisioner/steps/restart-stack.step';
import { SetRecordsStep } from '@moorage/provisioner/steps/set-records.step';
import { StartServerStep } from '@moorage/provisioner/steps/start-server.step';
import { StartStackStep } from '@moorage/provisioner/steps/start-stack.step';
import { StepTable } from '@moorage/provisioner/steps/step-table.service';
import { PutBackDataStep, SwapBackStep, SwapDataStep } from '@moorage/provisioner/steps/swap-data.step';
import { TidyUpdateStep } from '@moorage/provisioner/steps/tidy-update.step';
import { UploadStackStep } from '@moorage/provisioner/steps/upload-stack.step';
import { ValidateDnsStep } from '@moorage/provisioner/steps/validate-dns.step';
import { WaitForSshStep } from '@moorage/provisioner/steps/wait-for-ssh.step';

export interface ProvisionerParts {
  /** Opened with the provisioner's role. */
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly outbox: Outbox;
  readonly work: WorkSchedule;
  readonly deployments: Deployments;
  readonly secrets: Secrets;
  readonly clouds: Clouds;
  readonly ssh: Ssh;
  readonly dns: DnsCheck;
  readonly certificates: CertificateCheck;
  readonly packages: StackPackages;
  /** Connection for reachability checks of deployments. */
  readonly dialer?: Dialer;
  /** Timeouts of every run, regardless of its server. */
  readonly timeouts: StepTimeouts;
  readonly intervals?: Intervals;
  readonly options?: Partial<ProvisionerOptions>;
  readonly metrics?: Metrics;
  /** Store for simulated backups. Defaults to the memory of this provisioner. */
  readonly copies?: SimulatedCopies;
  readonly backups?: Partial<BackupOptions>;
  /** Store for the buckets of customers. Simulated by default. */
  readonly buckets?: BucketStore;
  /** DNS of the platform domain. Defaults to the memory of this provisioner. */
  readonly platformDns?: PlatformDns;
}

/** Entry points for messaging, schedules and operators. */
export interface BuiltProvisioner extends Handlers {
  readonly recovery: RecoverySweep;
  readonly confirmLost: ConfirmLost;
  readonly reachability: ResponseChecks;
  readonly hosts: HostChecks;
  readonly names: NameChecks;
  readonly rollup: MetricsRollup;
  readonly metrics: Metrics;
  readonly backups: BackupSchedule;
  readonly downloads: PrepareDownload;
  readonly platformRecords: SweepPlatformRecords;
}

/** Options of an installation with the default restrictions. */
export const OPTIONS: ProvisionerOptions = {
  vpsAllowedCidrs: [],
  vpsSshPort: 22,
  callbacksUrl: null,
  acmeDirectoryUrl: 'https://acme.example/directory',
  traefikPlugins: 'on',
  isLive: () => false,
};

const GIGABYTE = 1_000_000_000;

const LEAKS: LeakOptions = { setup: cloudSetup({ sandbox: true, chosen: {} }), alertDollarsPerDay: 1 };

/** Backs up everything with simulated restic. */
const BACKUPS: BackupOptions = {
  modeOf: () => 'simulated',
  testsOf: () => true,
  quotaOf: (level) => (level === 3 ? 100 : 20) * GIGABYTE,
  image: 'docker.io/restic/restic:0.19.1',
  downloads: { folder: join(tmpdir(), 'moorage-downloads'), bytes_max: 20 * GIGABYTE },
  limits: { cpus: '0.5', memory_mb: 512, upload_kib: 0, download_kib: 0 },
};

/** Builds the provisioner on a database by hand, in the same way as Nest builds `ProvisionerModule`. */
export function buildProvisioner(parts: ProvisionerParts): BuiltProvisioner {
  const { db, clock, random, log, outbox, work, deployments, secrets, clouds } = parts;
  const { intervals = INTERVALS, metrics = new Metrics() } = parts;
  const timeouts: RunTimeouts = { of: () => parts.timeouts };
  const options: ProvisionerOptions = { ...OPTIONS, ...parts.options };
  const alerts = new Alerts({ clock, log });
  const settings = parseSettings({});
  const backups: BackupOptions = { ...BACKUPS, ...parts.backups };
  const restores = new Restores();
  const newest = new NewestBackup(work);
  const repositories = new Repositories(random, secrets);
  const copies = parts.copies ?? new MemoryCopies();
  const store = new SimulatedStore(copies);
  const bucket = parts.buckets ?? new SimulatedBuckets(copies);
  const stores: CopyStores = { of: () => store };
  const lifecycle = new RunLifecycle(
    deployments,
    work,
    secrets,
    restores,
    new Changes(secrets, outbox),
    new Rollouts(alerts),
    backups,
  );
  const sessions = new ServerSessions(db, parts.ssh, secrets, options);
  const stacks = new StackService(db, random, secrets, parts.packages, options);
  const hostCopies = new HostCopies(sessions, stacks, backups);
  const proofs = new ProveCopies(db, clock, outbox, alerts, stores, backups, log);
  const checks = new DnsChecks(parts.dns, stacks);
  const certificates = new CertificateChecks(parts.certificates, stacks);
  const trust = new ProviderTrust(db, clock, outbox, alerts, log);
  const incidents = new Incidents(outbox);
  const moved = new AddressChanges(clock, deployments, outbox, stacks, log);
  const rules = new SharedRules(db, clock, alerts, log);
  const entered = new EnteredCredentials(db, clock, random, secrets, trust, work, { settings } as ServiceBase);
  const access = new CustomerAccess(db, clock, sessions);
  const ownServers = new OwnServerRemoval(sessions, intervals);
  const deleteServer = new DeleteServerStep(db, clouds, trust, timeouts);
  const platformDns = parts.platformDns ?? new MemoryPlatformDns();
  const platformRecords = new PlatformRecordsService();
  const upload = new UploadStackStep(sessions, stacks);
  const steps = new StepTable(
    new CreateServerStep(db, clock, random, clouds, trust, secrets, timeouts, options, log),
    new WaitForSshStep(db, clock, sessions, timeouts, options),
    new PreflightStep(sessions, stacks, clock),
    new BootstrapStep(db, sessions, stacks),
    upload,
    new StartStackStep(sessions),
    new RestartStackStep(sessions),
    new CheckHealthStep(sessions, access, timeouts),
    new ValidateDnsStep(checks, timeouts),
    new IssueCertificateStep(sessions, certificates, parts.certificates, timeouts),
    new FinishStep(access),
    new RemoveStackStep(sessions, ownServers),
    new HandOverStep(sessions, ownServers),
    deleteServer,
    new ConfirmRemovalStep(db, secrets, sessions, ownServers, deleteServer),
    new BackUpStep(db, deployments, newest, timeouts),
    new BackUpSourceStep(db, deployments, newest, backups, timeouts),
    new RestoreDataStep(db, repositories, stores, hostCopies, timeouts),
    new SwapDataStep(db, sessions),
    new SwapBackStep(db, sessions, upload),
    new ResizeServerStep(db, clock, clouds, deployments, moved, outbox, trust, timeouts),
    new KeepServerStep(sessions, clock),
    new StartServerStep(db, clouds, deployments, moved, incidents, clock, timeouts),
    new PullImagesStep(db, sessions, stacks),
    new KeepDataStep(db, sessions, hostCopies),
    new PutBackDataStep(db, sessions, upload),
    new TidyUpdateStep(db, sessions, stacks),
    new RebootServerStep(sessions, timeouts),
    new SetRecordsStep(db, platformDns, platformRecords),
    new RemoveRecordsStep(db, clock, platformDns, platformRecords),
  );
  const states = new ServerStates(clock, deployments, incidents);
  const check = new ResponseCheck(parts.dialer ?? new DirectDialer(), clock, options);
  const reachability = new ResponseChecks(db, clock, deployments, outbox, work, check, incidents, alerts, log);
  const plans = new BackupPlans(clock, deployments, backups);
  const downloads = new PrepareDownload(db, clock, random, secrets, repositories, stores, backups, log);
  // The order is fixed, because the simulation draws the next kind of work from the list of kinds.
  const handling = [
    new RunEvents(clock, deployments, lifecycle),
    new MoveEvents(new FollowMoves(clock, outbox, work)),
    new RunWalker(db, clock, random, deployments, outbox, lifecycle, steps, timeouts, log, metrics),
    new CheckVps(db, clock, parts.ssh, secrets, options),
    new DnsRecheck(db, clock, deployments, checks, certificates, work, intervals),
    new ReconcileServers(
      db,
      clock,
      clouds,
      deployments,
      incidents,
      trust,
      moved,
      states,
      rules,
      alerts,
      intervals,
      log,
    ),
    new WatchEvents(clock, deployments, incidents),
    new ServerCallbacks(clock, deployments, work),
    plans,
    downloads,
    new BackUp(db, clock, deployments, outbox, work, repositories, stores, hostCopies, backups, timeouts, alerts, log),
    new MaintainCopies(
      db,
      clock,
      deployments,
      outbox,
      secrets,
      repositories,
      stores,
      hostCopies,
      proofs,
      alerts,
      backups,
      log,
    ),
    new CopyToBucket(db, clock, deployments, outbox, secrets, repositories, stores, { of: () => bucket }, backups, log),
    new ApplySshKeys(db, clock, deployments, outbox, work, access, timeouts, log),
    new CheckProvider(db, clock, clouds, entered, work, options),
    new FindLeaks(db, clock, clouds, trust, alerts, LEAKS, log),
    new DecideLeak(db, clock, clouds, deployments, trust, alerts, LEAKS, log),
    new ApplyDomains(db, clock, deployments, outbox, work, sessions, stacks, checks, certificates, log),
    new FollowLogs(db, clock, work, sessions, new LogSecrets(secrets), log),
    new RestartContainer(db, clock, deployments, sessions, log),
  ];
  return {
    ...handlersOf(handling),
    recovery: new RecoverySweep(db, clock, deployments, lifecycle, work),
    reachability,
    hosts: new HostChecks(db, clock, deployments, sessions, incidents, log),
    names: new NameChecks(db, clock, deployments, certificates, checks, incidents, log),
    rollup: new MetricsRollup(db, clock),
    downloads,
    platformRecords: new SweepPlatformRecords(db, clock, platformDns, platformRecords, alerts, log),
    backups: new BackupSchedule(db, clock, deployments, work, alerts, plans),
    metrics,
    confirmLost: new ConfirmLost(db, clock, deployments, incidents, intervals, log),
  };
}
