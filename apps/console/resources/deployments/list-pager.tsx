import TablePagination from '@mui/material/TablePagination';
import { CONSTANTS } from '@moorage/domain';
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react';
import { memo } from 'react';
import { rowsShown, type Shown, type Step, stepTo } from '../../data/paging';
import { useText } from '../../texts/console-i18n';

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

const nowhere = (): void => undefined;

export interface PagerProps {
  readonly shown: Shown;
  readonly onStep: (step: Step) => void;
  readonly onPerPage: (rows: number) => void;
}

/** Page size (20, 50 or 100 rows) and links to the first, previous, next and last page. */
export const ListPager = memo(function ListPager({ shown, onStep, onPerPage }: PagerProps) {
  const t = useText();
  const { from, to, count } = rowsShown(shown);
  const total = count.toLocaleString('en-US');
  const button = (step: Step) => ({
    color: 'inherit' as const,
    disabled: stepTo(step, shown) === null,
    onClick: () => onStep(step),
  });
  return (
    <TablePagination
      component="div"
      className="list-pager"
      // The buttons depend on the available steps, because not every page has a number.
      count={shown.perPage}
      page={0}
      onPageChange={nowhere}
      rowsPerPage={shown.perPage}
      rowsPerPageOptions={[...CONSTANTS.dashboardPageSizes]}
      showFirstButton
      showLastButton
      labelRowsPerPage={t('layout.rows')}
      labelDisplayedRows={() =>
        t('layout.shown', {
          from: from.toLocaleString('en-US'),
          to: to.toLocaleString('en-US'),
          count: shown.meta?.isEstimated === true ? t('layout.about', { count: total }) : total,
        })
      }
      getItemAriaLabel={(type) => t(`deployments.pager.${type}`)}
      onRowsPerPageChange={(event) => onPerPage(Number(event.target.value))}
      slots={{ actions: { ...ICONS } }}
      slotProps={{
        actions: {
          firstButton: button('first'),
          previousButton: button('previous'),
          nextButton: button('next'),
          lastButton: button('last'),
        },
      }}
    />
  );
});
