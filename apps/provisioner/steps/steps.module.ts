import { Module } from '@nestjs/common';
import { ProvisionerAccessModule } from '../access/access.module';
import { CertificatesModule } from '../certificates/certificates.module';
import { CloudsModule } from '../clouds/clouds.module';
import { DnsModule } from '../dns/dns.module';
import { IncidentsModule } from '../incidents/incidents.module';
import { PlatformDnsModule } from '../platform-dns/platform-dns.module';
import { ProvisionerServersModule } from '../servers/servers.module';
import { StacksModule } from '../stacks/stacks.module';
import { ProvisionerBackupsModule } from '../backups/backups.module';
import { BackUpSourceStep } from './back-up-source.step';
import { BackUpStep } from './back-up.step';
import { BootstrapStep } from './bootstrap.step';
import { CheckHealthStep } from './check-health.step';
import { ConfirmRemovalStep } from './confirm-removal.step';
import { CreateServerStep } from './create-server.step';
import { DeleteServerStep } from './delete-server.step';
import { FinishStep } from './finish.step';
import { HandOverStep } from './hand-over.step';
import { IssueCertificateStep } from './issue-certificate.step';
import { KeepDataStep } from './keep-data.step';
import { KeepServerStep } from './keep-server.step';
import { OwnServerRemoval } from './own-server-removal.service';
import { PreflightStep } from './preflight.step';
import { PullImagesStep } from './pull-images.step';
import { RebootServerStep } from './reboot-server.step';
import { RemoveRecordsStep } from './remove-records.step';
import { RemoveStackStep } from './remove-stack.step';
import { RestoreDataStep } from './restore-data.step';
import { RestartStackStep } from './restart-stack.step';
import { ResizeServerStep } from './resize-server.step';
import { SetRecordsStep } from './set-records.step';
import { StartServerStep } from './start-server.step';
import { StartStackStep } from './start-stack.step';
import { StepTable } from './step-table.service';
import { PutBackDataStep, SwapBackStep, SwapDataStep } from './swap-data.step';
import { TidyUpdateStep } from './tidy-update.step';
import { UploadStackStep } from './upload-stack.step';
import { ValidateDnsStep } from './validate-dns.step';
import { WaitForSshStep } from './wait-for-ssh.step';

@Module({
  imports: [
    ProvisionerAccessModule,
    ProvisionerBackupsModule,
    CertificatesModule,
    CloudsModule,
    DnsModule,
    IncidentsModule,
    PlatformDnsModule,
    ProvisionerServersModule,
    StacksModule,
  ],
  providers: [
    CreateServerStep,
    WaitForSshStep,
    PreflightStep,
    BootstrapStep,
    UploadStackStep,
    StartServerStep,
    StartStackStep,
    RestartStackStep,
    CheckHealthStep,
    ValidateDnsStep,
    IssueCertificateStep,
    FinishStep,
    RemoveStackStep,
    HandOverStep,
    DeleteServerStep,
    ConfirmRemovalStep,
    BackUpStep,
    BackUpSourceStep,
    RestoreDataStep,
    SwapDataStep,
    SwapBackStep,
    ResizeServerStep,
    KeepServerStep,
    PullImagesStep,
    KeepDataStep,
    PutBackDataStep,
    TidyUpdateStep,
    RebootServerStep,
    SetRecordsStep,
    RemoveRecordsStep,
    OwnServerRemoval,
    StepTable,
  ],
  exports: [StepTable],
})
export class StepsModule {}
