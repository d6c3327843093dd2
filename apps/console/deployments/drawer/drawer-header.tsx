import IconButton from '@mui/material/IconButton';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type RefObject } from 'react';
import type { CatalogueNames, Deployment } from '../../data/deployments-calls';
import { useText } from '../../texts/console-i18n';
import { PackageMark } from '../../ui/package-mark';
import { StatusLabel } from '../../ui/status-label';
import { addressOf, isOwn } from '../words';

export interface Walk {
  /** undefined: there is none. */
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
  readonly close: () => void;
}

export function DrawerHeader({
  id,
  deployment,
  names,
  walk,
  heading,
  headingId,
  missing,
}: {
  id: number;
  /** undefined: on its way. */
  deployment: Deployment | undefined;
  names: CatalogueNames;
  walk: Walk;
  heading: RefObject<HTMLHeadingElement | null>;
  headingId: string;
  /** It could not be loaded. */
  missing: boolean;
}) {
  const t = useText();
  return (
    <header>
      <div className="row who">
        {deployment === undefined ? null : (
          <>
            <PackageMark name={names.packageName(deployment.package)} size="s" />
            <span className="small soft">{names.packageName(deployment.package)}</span>
          </>
        )}
        <span className="muted small">#{id}</span>
        <span className="grow" />
        <IconButton
          size="small"
          aria-label={t('deployments.drawer.previous')}
          title={t('deployments.drawer.previous_key')}
          disabled={walk.previous === undefined}
          onClick={walk.previous}
        >
          <ChevronUp size={16} aria-hidden="true" />
        </IconButton>
        <IconButton
          size="small"
          aria-label={t('deployments.drawer.next')}
          title={t('deployments.drawer.next_key')}
          disabled={walk.next === undefined}
          onClick={walk.next}
        >
          <ChevronDown size={16} aria-hidden="true" />
        </IconButton>
        <IconButton
          size="small"
          aria-label={t('deployments.drawer.close')}
          title={t('deployments.drawer.close_key')}
          onClick={walk.close}
        >
          <X size={16} aria-hidden="true" />
        </IconButton>
      </div>
      <h2 id={headingId} ref={heading} tabIndex={-1}>
        {deployment !== undefined ? (
          deployment.client_name
        ) : missing ? (
          t('layout.details')
        ) : (
          <>
            <span className="vh">{t('layout.details')}</span>
            <span className="skel" style={{ width: 240 }} aria-hidden="true" />
          </>
        )}
      </h2>
      {deployment === undefined ? null : (
        <div className="row wrap state">
          <StatusLabel
            status={deployment.status}
            deletedAt={deployment.deleted_at}
            yourTurn={deployment.progress?.yours === true}
          />
          <Place deployment={deployment} names={names} />
        </div>
      )}
    </header>
  );
}

function Place({ deployment, names }: { deployment: Deployment; names: CatalogueNames }) {
  const t = useText();
  const { cloud_provider: cloud, region } = deployment;
  if (isOwn(deployment) || cloud === null) {
    return (
      <span className="small muted">
        {t('deployments.byovps')}, <span className="mono">{addressOf(deployment)}</span>
      </span>
    );
  }
  const provider = names.providerName(cloud);
  return (
    <span className="small muted">
      {region === null ? provider : `${provider}, ${names.regionName(cloud, region)}`}
    </span>
  );
}
