import { ButtonLink } from '../../../ui/button-link';
import { useText } from '../../../texts/console-i18n';
import { VerifyBanner } from '../../../parts/verify-banner';
import { RefusedNote } from '../access/certificates';
import { AccessNote } from '../access/own-server-script';
import { IncidentNote } from '../notes/incident-note';
import { ValidationNote, WrongRecordsNote } from '../notes/records-notes';
import { StateNotes } from '../notes/state-notes';
import { UpdateNote } from '../notes/update-note';
import { FailureNote } from '../overview/failure-note';
import { type DeploymentTab, pageOf } from '../tabs';
import type { Details } from '../use-details';

/** Notes that require an action of the owner, above the cards of every tab. */
export function PageNotes({ details, tab }: { details: Details; tab: DeploymentTab }) {
  const { deployment, provider, progress, dns } = details;
  return (
    <div className="deployment-notes">
      <VerifyBanner />
      <StateNotes details={details} />
      <IncidentNote details={details} tab={tab.path} />
      <UpdateNote details={details} tab={tab.path} />
      {details.hasFailed ? <FailureNote deployment={deployment} progress={progress.data} provider={provider} /> : null}
      {details.needsScript ? (
        <AccessNote>
          <ToAccess details={details} tab={tab} what="show_script" />
        </AccessNote>
      ) : null}
      {details.hasWrongRecords && dns.data !== undefined ? (
        <WrongRecordsNote dns={dns.data}>
          <ToAccess details={details} tab={tab} what="show_records" />
        </WrongRecordsNote>
      ) : null}
      {details.isCertificateRefused && dns.data !== undefined ? (
        <RefusedNote deployment={deployment} dns={dns.data} />
      ) : null}
      <ValidationNote details={details} />
    </div>
  );
}

/** Link to the tab with what the owner needs, except on that tab. */
function ToAccess({
  details: { deployment },
  tab,
  what,
}: {
  details: Details;
  tab: DeploymentTab;
  what: 'show_script' | 'show_records';
}) {
  const t = useText();
  if (tab.path === 'access') return null;
  return (
    <ButtonLink size="small" to={pageOf(deployment.id, 'access')}>
      {t(`deployments.page.${what}`)}
    </ButtonLink>
  );
}
