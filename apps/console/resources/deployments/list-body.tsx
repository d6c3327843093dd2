import { CONSTANTS } from '@moorage/domain';
import { useText } from '../../texts/console-i18n';
import { ago } from '../../ui/dates';
import { ErrorAlert } from '../../ui/error-alert';
import { ListBox } from '../../ui/list/list-box';
import { StepPager } from '../../ui/list/pager';
import { DeploymentTable, type TableProps } from './deployment-table';
import { ListTools } from './list-tools';
import { NothingFound } from './nothing-found';
import { TableSkeleton } from './table-skeleton';
import type { useDeploymentList } from './use-deployment-list';

type List = ReturnType<typeof useDeploymentList>;

/** Filters, table and pages of the dashboard. */
export function ListBody({
  list,
  ...table
}: { list: List } & Pick<TableProps, 'names' | 'selected' | 'onOpen' | 'onRemove'>) {
  const { rows, isAdmin, now } = list;
  return (
    <>
      <ListTools {...list.tools} />
      <ListBox
        rows={rows}
        failed={list.failure === null ? null : <Failure {...list} failure={list.failure} />}
        loading={<TableSkeleton />}
        empty={<NothingFound search={list.searched} isAdmin={isAdmin} onClear={list.clear} />}
        isChanging={list.isChanging}
      >
        <DeploymentTable {...table} rows={rows ?? []} isAdmin={isAdmin} now={now} />
        <StepPager {...list.pager} pageSizes={CONSTANTS.dashboardPageSizes} />
      </ListBox>
    </>
  );
}

/** Reason why the list could not be loaded, with the age of the rows shown instead. */
function Failure({
  rows,
  asOf,
  now,
  failure,
  tryAgain,
}: Pick<List, 'rows' | 'asOf' | 'now' | 'tryAgain'> & { failure: string }) {
  const t = useText();
  const stale = { time: ago(new Date(asOf).toISOString(), now), reason: failure };
  return <ErrorAlert text={rows === undefined ? failure : t('layout.stale', stale)} onRetry={tryAgain} />;
}
