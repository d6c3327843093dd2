import type { StepName } from '@moorage/domain';
import { Injectable } from '@nestjs/common';
import type { Step } from '../runs/step';
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
import { PutBackDataStep, SwapBackStep, SwapDataStep } from './swap-data.step';
import { TidyUpdateStep } from './tidy-update.step';
import { UploadStackStep } from './upload-stack.step';
import { ValidateDnsStep } from './validate-dns.step';
import { WaitForSshStep } from './wait-for-ssh.step';

/** Maps step names to the classes that execute them. */
@Injectable()
export class StepTable {
  private readonly steps: Readonly<Record<StepName, Step>>;

  constructor(
    createServer: CreateServerStep,
    waitForSsh: WaitForSshStep,
    preflight: PreflightStep,
    bootstrap: BootstrapStep,
    uploadStack: UploadStackStep,
    startStack: StartStackStep,
    restartStack: RestartStackStep,
    checkHealth: CheckHealthStep,
    validateDns: ValidateDnsStep,
    issueCertificate: IssueCertificateStep,
    finish: FinishStep,
    removeStack: RemoveStackStep,
    handOver: HandOverStep,
    deleteServer: DeleteServerStep,
    confirm: ConfirmRemovalStep,
    backUp: BackUpStep,
    backUpSource: BackUpSourceStep,
    restoreData: RestoreDataStep,
    swapData: SwapDataStep,
    swapBack: SwapBackStep,
    resizeServer: ResizeServerStep,
    keepServer: KeepServerStep,
    startServer: StartServerStep,
    pullImages: PullImagesStep,
    keepData: KeepDataStep,
    putBackData: PutBackDataStep,
    tidyUpdate: TidyUpdateStep,
    rebootServer: RebootServerStep,
    setRecords: SetRecordsStep,
    removeRecords: RemoveRecordsStep,
  ) {
    this.steps = {
      'create-server': createServer,
      'wait-for-ssh': waitForSsh,
      preflight,
      bootstrap,
      'upload-stack': uploadStack,
      'start-stack': startStack,
      'restart-stack': restartStack,
      'check-health': checkHealth,
      'validate-dns': validateDns,
      'issue-certificate': issueCertificate,
      finish,
      'remove-stack': removeStack,
      'hand-over': handOver,
      'delete-server': deleteServer,
      confirm,
      'back-up': backUp,
      'back-up-source': backUpSource,
      'restore-data': restoreData,
      'swap-data': swapData,
      'swap-back': swapBack,
      'resize-server': resizeServer,
      'keep-server': keepServer,
      'start-server': startServer,
      'pull-images': pullImages,
      'keep-data': keepData,
      'put-back-data': putBackData,
      'tidy-update': tidyUpdate,
      'reboot-server': rebootServer,
      'set-records': setRecords,
      'remove-records': removeRecords,
    };
  }

  of(name: StepName): Step {
    return this.steps[name];
  }
}
