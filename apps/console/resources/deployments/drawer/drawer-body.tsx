import { canOrderElsewhere, IN_FLIGHT, RUNNING } from '@moorage/domain';
import { CircleCheck, ExternalLink, Signpost, WifiOff } from 'lucide-react';
import { type CatalogueNames } from '../../../data/catalogue';
import { type Deployment, useAlternatives, useDns, useProgress, useStatusPoll } from '../../../data/deployments';
import { usePeripheryScript } from '../../../data/servers';
import { useText } from '../../../texts/console-i18n';
import { useIsOwner } from '../actions';
import { hasRecords, hostOf, isOwn, openedAt } from '../../../parts/deployment/deployment-messages';
import { BodySkeleton } from './body-skeleton';
import { CancellingNote } from '../notes/cancelling-note';
import { RefusedNote } from '../access/certificates';
import { CostSection } from '../overview/cost-section';
import { DnsRecords } from '../access/dns-records';
import { EndingNote } from '../notes/ending-note';
import { FactsSection } from '../overview/facts-section';
import { FailureNote, FailureReason } from '../overview/failure-note';
import { GracePeriodNote } from '../notes/grace-period-note';
import { AccessNote, OwnServerScript } from '../access/own-server-script';
import { ProgressTimeline } from '../activity/progress-timeline';
import { ProtectionSection } from '../settings/protection-section';
import { ReachabilitySection } from '../overview/reachability-section';
import { SecretsSection } from '../access/secrets-section';
import { SignInSection } from '../access/sign-in-section';
import { stepMessages } from '../../../parts/deployment/step-messages';
import { UnseenNote } from '../notes/unseen-note';
import { MessageText } from '../../../ui/message-text';
import { useBackups } from '../../../data/backups';
import { BackupsSection } from '../backups/backups-section';
import { UndoBar } from '../backups/undo-bar';
import { bothForms } from '../../../ui/both-forms';
import { buttonClass } from '../../../ui/button';

/** Body of the details. Required actions come first, then progress, cost and facts. */
export function DrawerBody({ deployment, names }: { deployment: Deployment; names: CatalogueNames }) {
  const t = useText();
  const { id, status, deleted_at, cancelling, access_link: link, sign_in } = deployment;
  const openLink = openedAt(deployment);
  const answers = deployment.reachability?.state !== 'unreachable';
  useStatusPoll(id, deployment);
  const alive = deleted_at === null && status !== 'DESTROYED';
  const inFlight = IN_FLIGHT.includes(status);
  const waitsForDns = status === 'DNS_VALIDATION' || status === 'DNS_FAILED';
  const setsUp = status === 'CREATING' || status === 'PROVISIONING' || waitsForDns;
  const progress = useProgress(id, status);
  const withRecords = hasRecords(deployment);
  const dns = useDns(id, { hasDomain: withRecords, waits: setsUp || status === 'RESTARTING' });
  const isOwner = useIsOwner(deployment);
  const provider =
    deployment.cloud_provider === null ? t('deployments.byovps') : names.providerName(deployment.cloud_provider);

  const steps = progress.data?.steps ?? [];
  const ownerAction = steps.find(({ state }) => state === 'action_required');
  const waitsForAccess =
    ownerAction?.name === 'wait-for-ssh' || (ownerAction !== undefined && ownerAction.name !== 'validate-dns');
  const showsTimeline = steps.length > 0 && (inFlight || status === 'FAILED' || status === 'DNS_FAILED');
  const current = progress.data?.number == null ? undefined : steps[progress.data.number - 1];
  const announced =
    showsTimeline && progress.data?.number != null && current !== undefined
      ? t('deployments.progress.announce', {
          number: progress.data.number,
          of: progress.data.of,
          step: stepMessages(current, { deployment, provider, t }),
        })
      : t('deployments.progress.announce_status', {
          name: deployment.client_name,
          status: deleted_at === null ? t(`layout.status.${status}`) : t('layout.status.disabled'),
        });
  const dnsPart =
    withRecords && dns.data !== undefined ? (
      <DnsRecords deployment={deployment} dns={dns.data} arrivedAt={dns.dataUpdatedAt} waits={setsUp} />
    ) : null;
  // A deployment that never ran has nothing to back up.
  const mayHaveBackups = !setsUp && status !== 'FAILED';
  const backups = useBackups(id, mayHaveBackups);
  const dnsFirst = waitsForDns && withRecords && dns.data?.all_right === false;
  const isRefused =
    withRecords && dns.data?.records.some(({ certificate }) => certificate?.state === 'refused') === true;
  const recordsFirst = dnsFirst || isRefused;
  const script = isOwn(deployment) && isOwner && alive && !cancelling && status !== 'FAILED' && status !== 'DESTROYING';

  const fetchesScript = script && waitsForAccess;
  const scriptPending = usePeripheryScript(deployment.package, fetchesScript).isPending && fetchesScript;
  // Show everything at once, because parts that load one by one would push each other down.
  const signInPending = isOwner && alive && RUNNING.includes(status) && sign_in === undefined;
  const offersElsewhere = isOwner && alive && canOrderElsewhere(status, deployment.failure?.code);
  const elsewherePending = useAlternatives(id, offersElsewhere).isPending && offersElsewhere;
  const backupsPending = mayHaveBackups && backups.isPending;
  if (
    progress.isPending ||
    (withRecords && dns.isPending) ||
    scriptPending ||
    signInPending ||
    elsewherePending ||
    backupsPending
  ) {
    return (
      <div className="body">
        <BodySkeleton />
      </div>
    );
  }
  return (
    <div className="body">
      <p className="vh" role="status">
        {announced}
      </p>
      <GracePeriodNote deployment={deployment} />
      <EndingNote deployment={deployment} />
      {backups.data !== undefined && alive ? <UndoBar deployment={deployment} backups={backups.data} /> : null}
      <CancellingNote deployment={deployment} />
      <UnseenNote deployment={deployment} provider={provider} />
      {(status === 'READY' || status === 'ACTIVE') && alive && link !== null && openLink !== null ? (
        <div className={answers ? 'note star' : 'note brass'}>
          {answers ? <CircleCheck size={16} aria-hidden="true" /> : <WifiOff size={16} aria-hidden="true" />}
          <div className="grow">
            <p>
              <b>{t(answers ? 'deployments.running.title' : 'deployments.running.unreachable')}</b>
            </p>
            <p className="soft anywhere">{hostOf(link)}</p>
            {deployment.open_link === null ? null : <p className="soft">{t('deployments.running.simulated')}</p>}
          </div>
          <a className={buttonClass({ size: 'small' })} href={openLink} target="_blank" rel="noreferrer">
            <ExternalLink size={16} aria-hidden="true" />
            {t('deployments.running.open')}
          </a>
        </div>
      ) : null}
      {alive && RUNNING.includes(status) && progress.data !== undefined ? (
        <ReachabilitySection
          deployment={deployment}
          time={{ serverNow: progress.data.now, arrivedAt: progress.dataUpdatedAt }}
        />
      ) : null}
      {status === 'FAILED' && alive ? (
        <FailureNote deployment={deployment} progress={progress.data} provider={provider} />
      ) : null}
      {script && waitsForAccess ? (
        <>
          <AccessNote />
          <OwnServerScript deployment={deployment} open />
        </>
      ) : null}
      {dnsFirst && dns.data !== undefined ? (
        <>
          <div className="note brass">
            <Signpost size={16} aria-hidden="true" />
            <div>
              <p>
                <b>
                  {t('deployments.dns.wrong', {
                    smart_count: dns.data.records.filter(({ right, required }) => required && !right).length,
                  })}
                </b>
              </p>
              <p className="soft anywhere">{t('deployments.dns.wrong_lead', { domain: bothForms(dns.data.domain) })}</p>
            </div>
          </div>
          {dnsPart}
        </>
      ) : null}
      {isRefused && dns.data !== undefined ? (
        <>
          <RefusedNote deployment={deployment} dns={dns.data} />
          {dnsFirst ? null : dnsPart}
        </>
      ) : null}
      {status === 'DNS_FAILED' && !dnsFirst && !isRefused && deployment.failure !== null ? (
        <div className="note brass">
          <Signpost size={16} aria-hidden="true" />
          <p>
            <MessageText message={deployment.failure} />
          </p>
        </div>
      ) : null}
      {progress.isError && inFlight ? (
        <p className="small soft" role="alert">
          {t('deployments.progress.failed')}
        </p>
      ) : null}
      {showsTimeline && progress.data !== undefined ? (
        <ProgressTimeline
          deployment={deployment}
          provider={provider}
          progress={progress.data}
          arrivedAt={progress.dataUpdatedAt}
          dns={dns.data}
        />
      ) : null}
      {status === 'FAILED' && alive ? <FailureReason deployment={deployment} progress={progress.data} /> : null}
      {recordsFirst || !setsUp ? null : dnsPart}
      {dns.isError && withRecords && setsUp ? (
        <p className="small soft" role="alert">
          {t('deployments.dns.failed')}
        </p>
      ) : null}
      {alive && RUNNING.includes(status) ? <SignInSection deployment={deployment} /> : null}
      {mayHaveBackups && backups.data !== undefined ? (
        <BackupsSection id={id} isOver={!alive} backups={backups.data} />
      ) : null}
      <CostSection deployment={deployment} />
      {script && !waitsForAccess ? <OwnServerScript deployment={deployment} open={false} /> : null}
      {alive && status !== 'FAILED' && status !== 'DESTROYING' ? <SecretsSection deployment={deployment} /> : null}
      {setsUp || isRefused ? null : dnsPart}
      <ProtectionSection deployment={deployment} />
      <FactsSection deployment={deployment} names={names} />
    </div>
  );
}
