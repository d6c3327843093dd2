import type { CatalogueNames } from '../../../data/catalogue';
import { type Deployment, useStatusPoll } from '../../../data/deployments';
import { DnsRecords } from '../access/dns-records';
import { RefusedNote } from '../access/certificates';
import { AccessNote, OwnServerScript } from '../access/own-server-script';
import { SignInSection } from '../access/sign-in-section';
import { DnsError, Timeline } from '../activity/timeline';
import { BackupsSection } from '../backups/backups-section';
import { ValidationNote, WrongRecordsNote } from '../notes/records-notes';
import { IncidentNote, causesOf } from '../notes/incident-note';
import { isAnswering, RunningNote } from '../notes/running-note';
import { StateNotes } from '../notes/state-notes';
import { CostSection } from '../overview/cost-section';
import { SimulatedHint } from '../overview/facts-section';
import { FailureNote, FailureReason } from '../overview/failure-note';
import { HealthSection } from '../overview/health-section';
import { ChangeDomain } from '../settings/change-domain';
import { type Details, useDetails } from '../use-details';
import { BodySkeleton } from './body-skeleton';

/**
 * Body of the panel, the short form of the deployment's page. Required actions come first, then progress, login, last
 * backup and cost. Records, secrets, details and settings are on the page.
 */
export function DrawerBody({ deployment, names }: { deployment: Deployment; names: CatalogueNames }) {
  const details = useDetails(deployment, names);
  useStatusPoll(deployment.id, deployment);
  if (details.isPending)
    return (
      <div className="body">
        <BodySkeleton />
      </div>
    );
  return (
    <div className="body">
      <p className="vh" role="status">
        {details.announced}
      </p>
      <StateNotes details={details} />
      <IncidentNote details={details} />
      {isWell(deployment) ? <RunningNote deployment={deployment} /> : null}
      <HealthSection details={details} />
      <Attention details={details} />
      <Timeline details={details} />
      {details.hasFailed ? <FailureReason deployment={deployment} progress={details.progress.data} /> : null}
      {details.setsUp && !comesFirst(details) ? <Records details={details} /> : null}
      <DnsError details={details} />
      <Account details={details} />
      <SimulatedHint deployment={deployment} />
    </div>
  );
}

/** Returns whether nothing contradicts that the deployment runs. */
const isWell = (deployment: Deployment): boolean =>
  isAnswering(deployment) && !causesOf(deployment).some(({ severity }) => severity === 'alarm');

/** Returns whether the records are shown before the progress, because something is wrong with them. */
const comesFirst = ({ hasWrongRecords, isCertificateRefused }: Details): boolean =>
  hasWrongRecords || isCertificateRefused;

/** Notes about a deployment that waits or has failed, with the parts that its owner needs now. */
function Attention({ details }: { details: Details }) {
  const { deployment, provider, progress, dns } = details;
  return (
    <>
      {details.hasFailed ? <FailureNote deployment={deployment} progress={progress.data} provider={provider} /> : null}
      {details.needsScript ? (
        <>
          <AccessNote />
          <OwnServerScript deployment={deployment} open />
        </>
      ) : null}
      {details.hasWrongRecords && dns.data !== undefined ? <WrongRecordsNote dns={dns.data} /> : null}
      {details.hasWrongRecords ? <Records details={details} /> : null}
      {details.isCertificateRefused && dns.data !== undefined ? (
        <RefusedNote deployment={deployment} dns={dns.data} />
      ) : null}
      {details.isCertificateRefused && !details.hasWrongRecords ? <Records details={details} /> : null}
      <ValidationNote details={details} />
    </>
  );
}

function Records({ details }: { details: Details }) {
  return (
    <DnsRecords details={details}>
      <ChangeDomain deployment={details.deployment} />
    </DnsRecords>
  );
}

/** Login, last backup, cost, and the script for the owner's server. */
function Account({ details }: { details: Details }) {
  const { deployment, backups, isAlive } = details;
  return (
    <>
      {details.runs ? <SignInSection deployment={deployment} /> : null}
      {details.mayHaveBackups && backups.data !== undefined ? (
        <BackupsSection id={deployment.id} isOver={!isAlive} backups={backups.data} />
      ) : null}
      <CostSection deployment={deployment} />
      {details.hasScript && !details.needsScript ? <OwnServerScript deployment={deployment} open={false} /> : null}
    </>
  );
}
