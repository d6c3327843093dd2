import type { DeploymentStatus } from './status';

/**
 * The codes of `STEP_MESSAGES.cloud_capacity` and `cloud_permission`: public pages load the domain without the sentences of
 * the steps.
 */
const REFUSED_THERE: readonly string[] = ['step.cloud_capacity', 'step.cloud_permission'];

/** Returns whether the provider refused the size or region alone, so that the same can be ordered elsewhere while it is FAILED. */
export const canOrderElsewhere = (status: DeploymentStatus, failureCode: string | null | undefined): boolean =>
  status === 'FAILED' && REFUSED_THERE.includes(failureCode ?? '');
