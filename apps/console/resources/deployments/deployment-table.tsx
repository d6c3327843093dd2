import { memo } from 'react';
import type { CatalogueNames } from '../../data/catalogue';
import type { Deployment } from '../../data/deployments';
import { isOwn } from '../../parts/deployment/deployment-messages';
import { PackageMark } from '../../parts/package-mark';
import { useText } from '../../texts/console-i18n';
import { DataTable } from '../../ui/data-table';
import { ago, exactInstant } from '../../ui/dates';
import { DeploymentLink } from './deployment-link';
import { DeploymentName, DetailsLink } from './deployment-name';
import { DeploymentState } from './deployment-state';
import { RowActions } from './row-actions';
import './deployment-table.css';

export interface TableProps {
  readonly rows: readonly Deployment[];
  readonly names: CatalogueNames;
  readonly isAdmin: boolean;
  /** Deployment with open details. */
  readonly selected: number | null;
  /** Server time, updated every minute. */
  readonly now: number;
  readonly onOpen: (id: number) => void;
  readonly onRemove: (deployment: Deployment) => void;
}

const Column = DataTable.Col<Deployment>;

/** Table that becomes cards on phones and hides columns on narrow screens, without losing information. */
export function DeploymentTable({ rows, isAdmin, now, ...props }: TableProps) {
  const t = useText();
  const { name, packageName, provider, actions } = useCells(props);
  return (
    <DataTable<Deployment>
      className="deps"
      label={t('deployments.table')}
      rows={rows}
      card={(deployment) => (
        <>
          <div className="row">
            <span className="grow">{name(deployment)}</span>
            {actions(deployment)}
          </div>
          <DeploymentState deployment={deployment} />
          <span className="row">
            {packageName(deployment)} <span className="muted small">{provider(deployment)}</span>
          </span>
          <DeploymentLink deployment={deployment} none={null} />
          {isAdmin ? <Owner deployment={deployment} /> : null}
        </>
      )}
    >
      <Column className="c-name" label={t('deployments.columns.name')} render={name} />
      <Column label={t('deployments.columns.package')} render={packageName} />
      <Column
        className="c-prov nowrap"
        label={t('deployments.columns.provider')}
        render={(deployment) => (
          <>
            {provider(deployment)}
            <Place deployment={deployment} names={props.names} />
          </>
        )}
      />
      <Column
        className="c-link"
        label={t('deployments.columns.link')}
        render={(deployment) => <DeploymentLink deployment={deployment} />}
      />
      {isAdmin ? (
        <Column
          className="c-owner"
          label={t('deployments.columns.owner')}
          render={(deployment) => <Owner deployment={deployment} />}
        />
      ) : null}
      <Column
        label={t('deployments.columns.status')}
        render={(deployment) => <DeploymentState deployment={deployment} />}
      />
      <Column
        className="c-made nowrap soft"
        label={t('deployments.columns.created')}
        render={({ created_at: at }) => <span title={exactInstant(at)}>{ago(at, now)}</span>}
      />
      <Column label={<span className="vh">{t('deployments.columns.actions')}</span>} render={actions} />
    </DataTable>
  );
}

/** Returns the cells that the table and the cards share. */
function useCells({
  names,
  selected,
  onOpen,
  onRemove,
}: Pick<TableProps, 'names' | 'selected' | 'onOpen' | 'onRemove'>) {
  const t = useText();
  return {
    name: (deployment: Deployment) => (
      <DeploymentName deployment={deployment} isSelected={deployment.id === selected} onOpen={onOpen} />
    ),
    packageName: ({ package: name }: Deployment) => (
      <span className="row">
        <PackageMark mark={names.packageMark(name)} size="s" />
        <span className="nowrap">{names.packageName(name)}</span>
      </span>
    ),
    provider: (deployment: Deployment) =>
      isOwn(deployment) || deployment.cloud_provider === null
        ? t('deployments.byovps')
        : names.providerName(deployment.cloud_provider),
    actions: (deployment: Deployment) => (
      <span className="row-acts">
        <Actions deployment={deployment} onRemove={onRemove} />
        <DetailsLink deployment={deployment} onOpen={onOpen} />
      </span>
    ),
  };
}

/** Menu of the actions, which renders again only for a changed deployment. */
const Actions = memo(RowActions);

function Place({ deployment, names }: { deployment: Deployment } & Pick<TableProps, 'names'>) {
  const { cloud_provider: cloud, region, vps_ip_address: address } = deployment;
  return isOwn(deployment) || cloud === null || region === null ? (
    <span className={isOwn(deployment) ? 'sub mono' : 'sub'}>{address ?? ''}</span>
  ) : (
    <span className="sub">{names.regionName(cloud, region)}</span>
  );
}

function Owner({ deployment: { user } }: { deployment: Deployment }) {
  const t = useText();
  return (
    <>
      <span className="cut" title={user?.email}>
        {user?.username ?? t('layout.not_available')}
      </span>
      <span className="sub" title={user?.email}>
        {user?.email}
      </span>
    </>
  );
}
