import { useState } from 'react';
import type { Deployment } from '../../../data/deployments';
import type { Incident } from '../../../data/watch';
import { useCanChange } from '../../../data/session';
import { useText } from '../../../texts/console-i18n';
import { allows, isOwn } from '../../../parts/deployment/deployment-messages';
import { LockedButton } from '../../../parts/locked-button';
import { ButtonLink } from '../../../ui/button-link';
import { useIsVerified, useRepairLimit } from '../actions';
import { useRepairs } from '../repairs';
import { pageOf, TABS } from '../tabs';
import type { Details } from '../use-details';
import { StartServerDialog } from './start-server-dialog';

type LinkAction = Exclude<Incident['action'], 'start_server' | 'restart' | null>;

/** Tab that helps with an incident. */
const TAB_OF: Readonly<Record<LinkAction, string>> = {
  show_logs: 'logs',
  show_records: 'access',
  change_size: 'settings',
  create_from_backup: 'backups',
};

const LABEL = {
  show_logs: 'incidents.show_logs',
  show_records: 'deployments.page.show_records',
  change_size: 'incidents.change_size',
  create_from_backup: 'incidents.show_backups',
} as const;

/** Button for the remedy of an incident. An action that is not possible has none. */
export function IncidentButton({
  incident: { action },
  details,
  tab,
}: {
  incident: Pick<Incident, 'action'>;
  details: Pick<Details, 'deployment' | 'provider' | 'isOwner'>;
  /** Tab that is open, which no button leads to. */
  tab?: string | undefined;
}) {
  const { deployment } = details;
  const canChange = useCanChange();
  switch (action) {
    case null:
      return null;
    case 'start_server':
      return canChange && !deployment.cancelling && deployment.actions.includes(action) ? (
        <StartServer details={details} />
      ) : null;
    case 'restart':
      return canChange && allows(deployment, action) ? <Restart deployment={deployment} /> : null;
    case 'show_logs':
    case 'show_records':
    case 'change_size':
    case 'create_from_backup':
      return <TabLink action={action} deployment={deployment} tab={tab} />;
  }
}

function StartServer({ details }: { details: Pick<Details, 'deployment' | 'provider' | 'isOwner'> }) {
  const t = useText();
  const isVerified = useIsVerified();
  const [dialog, setDialog] = useState(false);
  return (
    <>
      <LockedButton
        size="small"
        reason={isVerified ? null : t('deployments.locked.unverified')}
        aria-haspopup="dialog"
        onClick={() => setDialog(true)}
      >
        {t('incidents.start.button')}
      </LockedButton>
      {dialog ? <StartServerDialog {...details} onClose={() => setDialog(false)} /> : null}
    </>
  );
}

function Restart({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const isVerified = useIsVerified();
  const limit = useRepairLimit(deployment);
  const { run, isBusy, dialog } = useRepairs(deployment);
  return (
    <>
      <LockedButton
        size="small"
        reason={isVerified ? limit : t('deployments.locked.unverified')}
        aria-busy={isBusy ? true : undefined}
        onClick={() => run('restart')}
      >
        {t('incidents.restart')}
      </LockedButton>
      {dialog}
    </>
  );
}

function TabLink({ action, deployment, tab }: { action: LinkAction; deployment: Deployment; tab: string | undefined }) {
  const t = useText();
  const path = TAB_OF[action];
  const isThere = TABS.some((each) => each.path === path && each.when({ deployment, hasCopies: false }));
  // The size of the customer's own server is not ours to change.
  if (!isThere || path === tab || (action === 'change_size' && isOwn(deployment))) return null;
  return (
    <ButtonLink size="small" to={pageOf(deployment.id, path)}>
      {t(LABEL[action])}
    </ButtonLink>
  );
}
