import { canOrderElsewhere, IN_FLIGHT, RUNNING } from '@moorage/domain';
import type { CatalogueNames } from '../../data/catalogue';
import { useBackups, useReloadAfterRestore } from '../../data/backups';
import { type Deployment, useAlternatives, useDns } from '../../data/deployments';
import { usePeripheryScript } from '../../data/servers';
import { hasRecords, isOver, isOwn } from '../../parts/deployment/deployment-messages';
import { stepMessages } from '../../parts/deployment/step-messages';
import { useText } from '../../texts/console-i18n';
import { useIsOwner } from './actions';
import { useCurrentProgress } from './use-current-progress';

/** Returns how far a deployment is in its life. */
export function stageOf(deployment: Pick<Deployment, 'status' | 'deleted_at'>) {
  const { status } = deployment;
  const isAlive = !isOver(deployment);
  const waitsForDns = status === 'DNS_VALIDATION' || status === 'DNS_FAILED';
  const setsUp = status === 'CREATING' || status === 'PROVISIONING' || waitsForDns;
  return {
    isAlive,
    waitsForDns,
    setsUp,
    isInFlight: IN_FLIGHT.includes(status),
    runs: isAlive && RUNNING.includes(status),
    hasFailed: isAlive && status === 'FAILED',
    // A deployment that never ran has nothing to back up.
    mayHaveBackups: !setsUp && status !== 'FAILED',
  };
}

/** Everything that the details of a deployment show, with what is loaded for them. */
export type Details = ReturnType<typeof useDetails>;

/** Loads what the panel and the page show of a deployment, and decides what comes first. */
export function useDetails(deployment: Deployment, names: CatalogueNames) {
  const t = useText();
  const { id, status, cloud_provider: cloud, sign_in } = deployment;
  const stage = stageOf(deployment);
  const isOwner = useIsOwner(deployment);
  const provider = cloud === null ? t('deployments.byovps') : names.providerName(cloud);
  const progress = useCurrentProgress(deployment);
  const withRecords = hasRecords(deployment);
  const dns = useDns(deployment, { hasDomain: withRecords, waits: stage.setsUp || status === 'RESTARTING' });
  const backups = useBackups(id, stage.mayHaveBackups);
  useReloadAfterRestore(id, backups.data?.restore?.state);

  const steps = progress.data?.steps ?? [];
  const ownerAction = steps.find(({ state }) => state === 'action_required');
  const waitsForAccess = ownerAction !== undefined && ownerAction.name !== 'validate-dns';
  const hasScript =
    isOwn(deployment) &&
    isOwner &&
    stage.isAlive &&
    !deployment.cancelling &&
    !['FAILED', 'DESTROYING'].includes(status);
  const needsScript = hasScript && waitsForAccess;
  const isScriptPending = usePeripheryScript(deployment.package, needsScript).isPending && needsScript;
  const offersElsewhere = isOwner && stage.isAlive && canOrderElsewhere(status, deployment.failure?.code);
  const isElsewherePending = useAlternatives(id, offersElsewhere).isPending && offersElsewhere;
  const isSignInPending = isOwner && stage.runs && sign_in === undefined;
  const showsTimeline = steps.length > 0 && (stage.isInFlight || status === 'FAILED' || status === 'DNS_FAILED');
  const current = progress.data?.number == null ? undefined : steps[progress.data.number - 1];
  return {
    deployment,
    provider,
    isOwner,
    ...stage,
    progress,
    dns,
    backups,
    withRecords,
    hasScript,
    needsScript,
    showsTimeline,
    /** Records that the owner must correct. */
    hasWrongRecords: stage.waitsForDns && withRecords && dns.data?.all_right === false && !dns.data.managed,
    isCertificateRefused:
      withRecords && dns.data?.records.some(({ certificate }) => certificate?.state === 'refused') === true,
    // Everything shows at once, because parts that load one by one would push each other down.
    isPending:
      progress.isPending ||
      (withRecords && dns.isPending) ||
      isScriptPending ||
      isSignInPending ||
      isElsewherePending ||
      (stage.mayHaveBackups && backups.isPending),
    /** Current step or status, for screen readers. */
    announced:
      showsTimeline && progress.data?.number != null && current !== undefined
        ? t('deployments.progress.announce', {
            number: progress.data.number,
            of: progress.data.of,
            step: stepMessages(current, { deployment, provider, t }),
          })
        : t('deployments.progress.announce_status', {
            name: deployment.client_name,
            status: deployment.deleted_at === null ? t(`layout.status.${status}`) : t('layout.status.disabled'),
          }),
  };
}
