import type { DeploymentStatus } from './status';

/** The code of `STEP_MESSAGES.cloud_capacity`: public pages load the domain without the sentences of the steps. */
const SOLD_OUT_CODE = 'step.cloud_capacity';

/** Did it fail because its size was sold out? Then the same can be ordered elsewhere, as long as it is FAILED. */
export const failedForCapacity = (status: DeploymentStatus, failureCode: string | null | undefined): boolean =>
  status === 'FAILED' && failureCode === SOLD_OUT_CODE;
