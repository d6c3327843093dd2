import { join } from 'node:path';
import { backupMode, DOWNLOAD_BYTES_MAX, isSimulated, type SupportLevel } from '@moorage/domain';
import {
  backupDownloadsFolder,
  backupQuota,
  backupTargetOf,
  cloudSetupOf,
  hasBackupTarget,
  ServiceBase,
  type Settings,
} from '@moorage/runtime';
import { Clock, Db, Random, Secrets } from '@moorage/server';
import { Module } from '@nestjs/common';
import { CloudsModule } from '../clouds/clouds.module';
import { ProvisionerServersModule } from '../servers/servers.module';
import { StacksModule } from '../stacks/stacks.module';
import { BackUp } from './back-up.use-case';
import { BackupOptions } from './backup-options';
import { BackupPlans } from './backup-plans.service';
import { BackupSchedule } from './backup-schedule.service';
import { BucketStores } from './bucket/bucket-store';
import { BucketCheck } from './bucket/check-bucket';
import { CopyToBucket } from './bucket/copy-to-bucket.use-case';
import { PublicRoute } from '@moorage/dns';
import { ResticBuckets } from './bucket/restic-buckets';
import { SimulatedBuckets } from './bucket/simulated-buckets';
import { CopyStores } from './copy-stores';
import { HostAccess } from './host-access';
import { HostCopies } from './host-copies.service';
import { MaintainCopies } from './maintain-copies.use-case';
import { NewestBackup } from './newest-backup.service';
import { PrepareDownload } from './prepare-download.use-case';
import { ProveCopies } from './prove-copies.use-case';
import { Repositories } from './backup-repositories.service';
import { Restic } from './restic';
import { ResticStore } from './restic-store';
import { Restores } from './restores.service';
import { SimulatedCopies } from '../clouds/sandbox/simulated-copies';
import { SimulatedStore } from './simulated-store';
import { targetFilesOf } from './target-files';

const GIGABYTE = 1_000_000_000;

function optionsOf(settings: Settings): BackupOptions {
  const setup = cloudSetupOf(settings);
  const modeOf: BackupOptions['modeOf'] = ({ server_type, cloud_provider }) =>
    backupMode({
      // Without its address, so that a simulated own server has the backups that orders of own servers are promised.
      simulated: isSimulated(setup, { server_type, cloud_provider }),
      target: hasBackupTarget(settings),
    });
  return {
    modeOf,
    testsOf: (mode) => mode === 'simulated' || settings.BACKUP_TESTS === 'on',
    quotaOf: (level: SupportLevel) => backupQuota(settings, level),
    image: settings.BACKUP_IMAGE,
    downloads: { folder: backupDownloadsFolder(settings), bytes_max: DOWNLOAD_BYTES_MAX },
    limits: {
      cpus: settings.BACKUP_CPUS,
      memory_mb: settings.BACKUP_MEMORY_MB,
      upload_kib: settings.BACKUP_UPLOAD_KIB,
      download_kib: settings.BACKUP_DOWNLOAD_KIB,
    },
  };
}

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: Secrets;
}

const resticOf = (settings: Settings, clock: Clock): Restic =>
  new Restic(settings.RESTIC_PATH, join(settings.DATA_DIR, 'restic'), clock);

/**
 * Creates the store of real backups, or returns null if this installation has no backup target. Throws if restic cannot
 * be used or the password file cannot be written.
 */
async function realStore(settings: Settings, parts: Parts): Promise<ResticStore | null> {
  const { db, clock, secrets } = parts;
  const target = backupTargetOf(settings);
  const { BACKUP_HOSTS_URL: hosts, BACKUP_HTPASSWD_FILE: accessFile } = settings;
  if (target === null || hosts === undefined || accessFile === undefined) return null;
  const restic = resticOf(settings, clock);
  await restic.assertUsable();
  const access = new HostAccess(accessFile, hosts.url, db, secrets, clock);
  await access.write().catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined) throw error;
    throw new Error(`BACKUP_HTPASSWD_FILE: cannot be written (${error.code ?? 'unknown'})`);
  });
  return new ResticStore(
    { target, hostsUrl: hosts.url, testBytesMax: settings.BACKUP_TEST_MAX_GB * GIGABYTE },
    restic,
    access,
    targetFilesOf(target, clock),
  );
}

@Module({
  imports: [CloudsModule, ProvisionerServersModule, StacksModule],
  providers: [
    {
      provide: BackupOptions,
      inject: [ServiceBase],
      useFactory: ({ settings }: ServiceBase): BackupOptions => optionsOf(settings),
    },
    {
      provide: CopyStores,
      inject: [ServiceBase, SimulatedCopies, Db, Clock, Secrets],
      useFactory: async (
        { settings }: ServiceBase,
        copies: SimulatedCopies,
        db: Db,
        clock: Clock,
        secrets: Secrets,
      ): Promise<CopyStores> => {
        const simulated = new SimulatedStore(copies);
        const real = await realStore(settings, { db, clock, secrets });
        return {
          of(mode) {
            if (mode === 'simulated') return simulated;
            if (real === null) throw new Error('no backup target is set');
            return real;
          },
        };
      },
    },
    {
      provide: BucketStores,
      inject: [ServiceBase, SimulatedCopies, CopyStores, Clock, Random],
      useFactory: (
        { settings }: ServiceBase,
        copies: SimulatedCopies,
        stores: CopyStores,
        clock: Clock,
        random: Random,
      ): BucketStores => {
        const route = new PublicRoute(settings.VPS_ALLOWED_CIDRS ?? []);
        const check = new BucketCheck(route, clock, random);
        const simulated = new SimulatedBuckets(copies);
        return {
          of(mode) {
            const source = stores.of(mode);
            if (!(source instanceof ResticStore)) return simulated;
            return new ResticBuckets(resticOf(settings, clock), source, check, route, { clock, random });
          },
        };
      },
    },
    Repositories,
    Restores,
    HostCopies,
    NewestBackup,
    BackUp,
    ProveCopies,
    MaintainCopies,
    BackupPlans,
    PrepareDownload,
    CopyToBucket,
    BackupSchedule,
  ],
  exports: [
    BackupOptions,
    CopyStores,
    Repositories,
    Restores,
    HostCopies,
    NewestBackup,
    BackupSchedule,
    PrepareDownload,
  ],
})
export class ProvisionerBackupsModule {}
