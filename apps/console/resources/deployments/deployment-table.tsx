import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { Mark } from '@moorage/contracts';
import { memo, type MouseEvent } from 'react';
import { UnpaidChip } from '../../parts/money/grace-left';
import type { CatalogueNames } from '../../data/catalogue';
import type { Deployment } from '../../data/deployments';
import { useText } from '../../texts/console-i18n';
import { ago, exactInstant, shortInstant } from '../../ui/dates';
import { PackageMark } from '../../parts/package-mark';
import { StatusLabel } from '../../parts/status-label';
import { LockMark } from './lock-mark';
import { RowActions } from './row-actions';
import { hostOf, isCancelling, isOver, isOwn, openedAt, ROW_LINK_ID } from '../../parts/deployment/deployment-messages';
import { buttonClass } from '../../ui/button';
import './deployment-table.css';

const COUNTED = ['CREATING', 'PROVISIONING', 'RESTARTING'];

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

/** Table that becomes cards on phones and hides columns on narrow screens, without losing information. */
export function DeploymentTable({ rows, names, isAdmin, selected, now, onOpen, onRemove }: TableProps) {
  const t = useText();
  return (
    <Table className="t cards deps" aria-label={t('deployments.table')}>
      <TableHead>
        <TableRow>
          <TableCell className="c-name">{t('deployments.columns.name')}</TableCell>
          <TableCell className="c-pack">{t('deployments.columns.package')}</TableCell>
          <TableCell className="c-prov">{t('deployments.columns.provider')}</TableCell>
          <TableCell className="c-link">{t('deployments.columns.link')}</TableCell>
          {isAdmin ? <TableCell className="c-owner">{t('deployments.columns.owner')}</TableCell> : null}
          <TableCell className="c-stat">{t('deployments.columns.status')}</TableCell>
          <TableCell className="c-made">{t('deployments.columns.created')}</TableCell>
          <TableCell className="c-act">
            <span className="vh">{t('deployments.columns.actions')}</span>
          </TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {rows.map((deployment) => {
          const { id, cloud_provider: cloud, region } = deployment;
          return (
            <Row
              key={id}
              deployment={deployment}
              packageName={names.packageName(deployment.package)}
              mark={names.packageMark(deployment.package)}
              provider={isOwn(deployment) || cloud === null ? t('deployments.byovps') : names.providerName(cloud)}
              place={
                isOwn(deployment) || cloud === null || region === null
                  ? (deployment.vps_ip_address ?? '')
                  : names.regionName(cloud, region)
              }
              isAdmin={isAdmin}
              isSelected={selected === id}
              created={ago(deployment.created_at, now)}
              onOpen={onOpen}
              onRemove={onRemove}
            />
          );
        })}
      </TableBody>
    </Table>
  );
}

interface RowProps extends Pick<TableProps, 'isAdmin' | 'onOpen' | 'onRemove'> {
  readonly deployment: Deployment;
  readonly packageName: string;
  readonly mark: Mark;
  readonly provider: string;
  readonly place: string;
  readonly isSelected: boolean;
  readonly created: string;
}

const Row = memo(function Row({
  deployment,
  packageName,
  mark,
  provider,
  place,
  isAdmin,
  isSelected,
  created,
  onOpen,
  onRemove,
}: RowProps) {
  const t = useText();
  const { id, client_name: name, access_link: link, status, deleted_at, progress, user } = deployment;
  const { grace_period_ends_at: waits, ended } = deployment;
  const open = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onOpen(id);
  };
  const href = `/dashboard?deployment=${id}`;
  const over = isOver(deployment);
  const reachable = link !== null && !over && status !== 'FAILED' && status !== 'DESTROYING';
  const counted = progress !== null && COUNTED.includes(status) && deleted_at === null;
  return (
    <TableRow
      className={[isSelected ? 'sel' : '', over ? 'dim' : ''].join(' ').trim() || undefined}
      aria-current={isSelected ? 'true' : undefined}
    >
      <TableCell className="c-name">
        <a id={ROW_LINK_ID(id)} className="name" href={href} onClick={open}>
          {name}
        </a>
        {deployment.deletion_locked ? <LockMark /> : null}
      </TableCell>
      <TableCell className="c-pack">
        <span className="row">
          <PackageMark mark={mark} size="s" />
          <span className="nowrap">{packageName}</span>
          <span className="only-s muted small">{provider}</span>
        </span>
      </TableCell>
      <TableCell className="c-prov nowrap">
        {provider}
        <span className={isOwn(deployment) ? 'sub mono' : 'sub'}>{place}</span>
      </TableCell>
      <TableCell className="c-link">
        {reachable ? (
          <a className="cut" href={openedAt(deployment) ?? link} title={link} target="_blank" rel="noreferrer">
            {hostOf(link)}
          </a>
        ) : (
          <span className="muted">{t('layout.none')}</span>
        )}
      </TableCell>
      {isAdmin ? (
        <TableCell className="c-owner">
          <span className="cut" title={user?.email}>
            {user?.username ?? t('layout.not_available')}
          </span>
          <span className="sub" title={user?.email}>
            {user?.email}
          </span>
        </TableCell>
      ) : null}
      <TableCell className="c-stat">
        <span className="row wrap">
          <StatusLabel
            status={status}
            deletedAt={deleted_at}
            progress={counted ? t('deployments.step_of', { number: progress.number, of: progress.of }) : undefined}
            yourTurn={progress?.action_required === true}
            ownerId={deployment.user_id}
          />
          {waits === null ? null : <UnpaidChip until={waits} />}
          {isCancelling(deployment) ? <span className="small muted">{t('deployments.cancelling.row')}</span> : null}
          {ended?.reason === 'unpaid' ? (
            <span className="small muted">{t('deployments.ended.row', { date: shortInstant(ended.at) })}</span>
          ) : null}
        </span>
      </TableCell>
      <TableCell className="c-made nowrap soft" title={exactInstant(deployment.created_at)}>
        {created}
      </TableCell>
      <TableCell className="c-act">
        <span className="row-acts">
          <RowActions deployment={deployment} onRemove={onRemove} />
          <a
            className={buttonClass({ kind: 'text', size: 'small' })}
            href={href}
            onClick={open}
            aria-label={t('deployments.details_of', { name })}
          >
            {t('deployments.details')}
          </a>
        </span>
      </TableCell>
    </TableRow>
  );
});

const SKELETON_WIDTHS = [150, 170, 140, 160, 130];

/** Placeholder in the table's final shape until the first response. */
export function TableSkeleton() {
  const t = useText();
  return (
    <div className="late" role="status">
      <span className="vh">{t('deployments.loading')}</span>
      <div className="t-skel" aria-hidden="true">
        {SKELETON_WIDTHS.map((width) => (
          <div key={width}>
            <span className="skel" style={{ width }} />
            <span className="skel hide-s" style={{ width: 90 }} />
            <span className="skel hide-s" style={{ width: 110 }} />
            <span className="skel" style={{ width: 120 }} />
          </div>
        ))}
      </div>
    </div>
  );
}
