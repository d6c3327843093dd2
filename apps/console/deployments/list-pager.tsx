import TablePagination from '@mui/material/TablePagination';
import { CONSTANTS } from '@moorage/domain';
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react';
import { memo } from 'react';
import { useText } from '../texts/console-i18n';

const icon = (Icon: typeof ChevronLeft) => {
  const Shown = () => <Icon size={16} aria-hidden="true" />;
  return Shown;
};
const ICONS = {
  firstButtonIcon: icon(ChevronsLeft),
  previousButtonIcon: icon(ChevronLeft),
  nextButtonIcon: icon(ChevronRight),
  lastButtonIcon: icon(ChevronsRight),
};

/** 20, 50 or 100 rows; first, previous, next and last page. */
export const ListPager = memo(function ListPager({
  page,
  perPage,
  total,
  onPage,
  onPerPage,
}: {
  page: number;
  perPage: number;
  total: number;
  onPage: (page: number) => void;
  onPerPage: (rows: number) => void;
}) {
  const t = useText();
  // pages reach row 10 000; behind it people search
  const reachable = Math.min(total, CONSTANTS.pagedRowsMax);
  return (
    <TablePagination
      component="div"
      className="list-pager"
      count={reachable}
      page={Math.min(page - 1, Math.max(0, Math.ceil(reachable / perPage) - 1))}
      rowsPerPage={perPage}
      rowsPerPageOptions={[...CONSTANTS.dashboardPageSizes]}
      showFirstButton
      showLastButton
      labelRowsPerPage={t('deployments.pager.rows')}
      labelDisplayedRows={({ from, to }) =>
        t('deployments.pager.shown', { from, to, count: total.toLocaleString('en-US') })
      }
      getItemAriaLabel={(type) => t(`deployments.pager.${type}`)}
      onPageChange={(_event, next) => onPage(next + 1)}
      onRowsPerPageChange={(event) => onPerPage(Number(event.target.value))}
      slots={{ actions: { ...ICONS } }}
    />
  );
});
