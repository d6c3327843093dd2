import { Archive } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useCatalogueNames } from '../../../data/catalogue';
import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { PackageMark } from '../../../parts/package-mark';
import { StatusLabel } from '../../../parts/status-label';
import { LockedButton } from '../../../parts/locked-button';
import { addressOf, isOwn } from '../../../parts/deployment/deployment-messages';

/** Page header with breadcrumbs, the deployment's facts and the main action. */
export function PageHeader({
  id,
  deployment,
  isGone,
  action,
}: {
  id: number;
  /** Undefined while loading or if it is gone. */
  deployment: Deployment | undefined;
  /** Its entry is deleted, or it could not be loaded. */
  isGone: boolean;
  action: ReactNode;
}) {
  const t = useText();
  const cloud = deployment?.cloud_provider ?? null;
  const names = useCatalogueNames(cloud === null ? [] : [cloud]);
  const name = deployment?.client_name ?? (isGone ? t('backups.nameless', { id }) : null);
  return (
    <>
      <nav className="crumbs" aria-label={t('backups.crumbs')}>
        <ol>
          <li>
            <Link to="/dashboard">{t('layout.dashboard')}</Link>
          </li>
          {name === null ? null : (
            <li>{deployment === undefined ? name : <Link to={`/dashboard?deployment=${id}`}>{name}</Link>}</li>
          )}
          <li aria-current="page">{t('backups.title')}</li>
        </ol>
      </nav>
      <div className="title wrap backups-title">
        <div className="grow">
          <h1>
            {deployment === undefined ? null : <PackageMark mark={names.packageMark(deployment.package)} />}
            {name === null ? (
              <>
                <span className="vh">{t('backups.title')}</span>
                <span className="skel late" style={{ width: 240, height: 24 }} aria-hidden="true" />
              </>
            ) : (
              <span className="anywhere">{name}</span>
            )}
          </h1>
          {deployment === undefined ? null : (
            <p className="row wrap facts">
              <StatusLabel status={deployment.status} deletedAt={deployment.deleted_at} />
              <span>{names.packageName(deployment.package)}</span>
              <span>
                {isOwn(deployment) || cloud === null
                  ? t('deployments.byovps')
                  : t('backups.place', {
                      size: (deployment.instance_type ?? '').toUpperCase(),
                      provider: names.providerName(cloud),
                      region: deployment.region === null ? '' : names.regionName(cloud, deployment.region),
                    })}
              </span>
              {addressOf(deployment) === null ? null : <span className="mono">{addressOf(deployment)}</span>}
            </p>
          )}
        </div>
        {action}
      </div>
    </>
  );
}

export function BackUpButton({
  refused,
  isBusy,
  onBackUp,
}: {
  refused: string | null;
  /** A backup is being requested or taken. */
  isBusy: boolean;
  onBackUp: () => void;
}) {
  const t = useText();
  return (
    <LockedButton
      kind="primary"
      reason={refused}
      aria-busy={isBusy ? true : undefined}
      icon={Archive}
      onClick={onBackUp}
    >
      {t(isBusy ? 'backups.now.busy' : 'backups.now.button')}
    </LockedButton>
  );
}
