import { type Ref, useId, useRef } from 'react';
import { Link } from 'react-router-dom';
import type { CatalogueNames } from '../../../data/catalogue';
import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { PackageMark } from '../../../parts/package-mark';
import { addressOf, isOwn } from '../../../parts/deployment/deployment-messages';
import { HeaderState } from '../header-state';
import { RowActions } from '../row-actions';
import { EditableName } from '../settings/editable-name';
import { type DeploymentTab, pageOf } from '../tabs';

/** Header of a deployment's page: where it is, its name, state and place, and what can be done with it. */
export function PageHeader({
  id,
  deployment,
  isGone,
  tab,
  names,
  actionSlot,
  onRemove,
}: {
  id: number;
  /** Undefined while loading, or once its entry is deleted. */
  deployment: Deployment | undefined;
  /** Its entry is deleted, or it could not be loaded. */
  isGone: boolean;
  tab: DeploymentTab;
  names: CatalogueNames;
  actionSlot: Ref<HTMLSpanElement>;
  onRemove: (deployment: Deployment) => void;
}) {
  const t = useText();
  const heading = useRef<HTMLHeadingElement>(null);
  const headingId = useId();
  const nameless = isGone ? t('backups.nameless', { id }) : null;
  return (
    <>
      <Crumbs id={id} name={deployment?.client_name ?? nameless} isGone={deployment === undefined} tab={tab} />
      <div className="title wrap deployment-title">
        <div className="grow">
          <div className="row">
            {deployment === undefined ? null : <PackageMark mark={names.packageMark(deployment.package)} />}
            {deployment !== undefined ? (
              <EditableName deployment={deployment} heading={heading} headingId={headingId} level={1} />
            ) : nameless !== null ? (
              <h1>{nameless}</h1>
            ) : (
              <h1>
                <span className="vh">{t(tab.label)}</span>
                <span className="skel late" style={{ width: 240, height: 24 }} aria-hidden="true" />
              </h1>
            )}
          </div>
          {deployment !== undefined ? (
            <Facts deployment={deployment} names={names} />
          ) : isGone ? null : (
            <p className="facts" aria-hidden="true">
              <span className="skel late" style={{ width: 200 }} />
            </p>
          )}
        </div>
        <span className="row" ref={actionSlot} />
        {deployment === undefined ? null : (
          <RowActions deployment={deployment} size="medium" kind="outlined" onRemove={onRemove} />
        )}
      </div>
    </>
  );
}

function Crumbs({ id, name, isGone, tab }: { id: number; name: string | null; isGone: boolean; tab: DeploymentTab }) {
  const t = useText();
  const isFirst = tab.path === '';
  return (
    <nav className="crumbs" aria-label={t('backups.crumbs')}>
      <ol>
        <li>
          <Link to="/dashboard">{t('layout.dashboard')}</Link>
        </li>
        {name === null ? null : (
          <li aria-current={isFirst ? 'page' : undefined}>
            {isFirst || isGone ? name : <Link to={pageOf(id)}>{name}</Link>}
          </li>
        )}
        {isFirst ? null : <li aria-current="page">{t(tab.label)}</li>}
      </ol>
    </nav>
  );
}

/** Status, package, size and place, and address. */
function Facts({ deployment, names }: { deployment: Deployment; names: CatalogueNames }) {
  const t = useText();
  const { cloud_provider: cloud, region, instance_type: size } = deployment;
  const address = addressOf(deployment);
  return (
    <p className="row wrap facts">
      <HeaderState deployment={deployment} />
      <span>{names.packageName(deployment.package)}</span>
      <span>
        {isOwn(deployment) || cloud === null
          ? t('deployments.byovps')
          : t('backups.place', {
              size: (size ?? '').toUpperCase(),
              provider: names.providerName(cloud),
              region: region === null ? '' : names.regionName(cloud, region),
            })}
      </span>
      {address === null ? null : <span className="mono">{address}</span>}
    </p>
  );
}
