import type { DeploymentStatus } from './status';

/**
 * Codes of `STEP_MESSAGES.cloud_capacity` and `cloud_permission`. They are repeated here because public pages load the
 * domain without the messages of the steps.
 */
const REFUSED_THERE: readonly string[] = ['step.cloud_capacity', 'step.cloud_permission'];

/**
 * Returns whether the provider rejected only the size or region, so that the same order is possible elsewhere while the
 * deployment is FAILED.
 */
export const canOrderElsewhere = (status: DeploymentStatus, failureCode: string | null | undefined): boolean =>
  status === 'FAILED' && REFUSED_THERE.includes(failureCode ?? '');
