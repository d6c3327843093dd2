import { join } from 'node:path';
import { backupMode, DOWNLOAD_BYTES_MAX, isSimulated, type SupportLevel } from '@moorage/domain';
import { cloudSetupOf, ServiceBase } from '@moorage/runtime';
import { Module } from '@nestjs/common';
import { CloudsModule } from '../clouds/clouds.module';
import { ServersModule } from '../servers/servers.module';
import { StacksModule } from '../stacks/stacks.module';
import { BackUp } from './back-up';
import { BackupOptions } from './backup-options';
import { BackupPlans } from './backup-plans';
import { BackupSchedule } from './backup-schedule';
import { CopyStores } from './copy-stores';
import { HostCopies } from './host-copies';
import { KeepCopies } from './keep-copies';
import { PrepareDownload } from './prepare-download';
import { Repositories } from './repositories';
import { Restores } from './restores';
import { SimulatedCopies } from './simulated-copies';
import { SimulatedStore } from './simulated-store';

const GIGABYTE = 1_000_000_000;

@Module({
  imports: [CloudsModule, ServersModule, StacksModule],
  providers: [
    {
      provide: BackupOptions,
      inject: [ServiceBase],
      useFactory: ({ settings }: ServiceBase): BackupOptions => {
        const setup = cloudSetupOf(settings);
        const modeOf: BackupOptions['modeOf'] = (deployment) =>
          backupMode({ simulated: isSimulated(setup, deployment), target: false });
        return {
          modeOf,
          quotaOf: (level: SupportLevel) => (level === 3 ? 100 : 20) * GIGABYTE,
          image: 'docker.io/restic/restic:0.19.1',
          downloads: { folder: join(settings.DATA_DIR, 'downloads'), bytes_max: DOWNLOAD_BYTES_MAX },
          limits: { cpus: '0.5', memory_mb: 512, upload_kib: 0, download_kib: 0 },
        };
      },
    },
    {
      provide: CopyStores,
      inject: [SimulatedCopies],
      useFactory: (copies: SimulatedCopies): CopyStores => {
        const simulated = new SimulatedStore(copies);
        return {
          of(mode) {
            if (mode === 'simulated') return simulated;
            throw new Error('there is no backup target');
          },
        };
      },
    },
    Repositories,
    Restores,
    HostCopies,
    BackUp,
    KeepCopies,
    BackupPlans,
    PrepareDownload,
    BackupSchedule,
  ],
  exports: [BackupOptions, CopyStores, Repositories, Restores, HostCopies, BackupSchedule, PrepareDownload],
})
export class BackupsModule {}
