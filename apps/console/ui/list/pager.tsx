import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { rowsShown, type Shown, type Step, stepTo } from '../../data/paging';
import { useText } from '../../texts/console-i18n';
import { IconButton } from '../button';
import { wholeNumber } from '../numbers';
import '../form/field-frame.css';
import './pager.css';

interface PagerProps {
  readonly shown: Shown;
  readonly pageSizes: readonly number[];
  readonly onPerPage: (rows: number) => void;
}

/** Row count and page size. The children lead to other pages. */
export function Pager({ shown, pageSizes, onPerPage, children }: PagerProps & { readonly children: ReactNode }) {
  const t = useText();
  const { from, to, count } = rowsShown(shown);
  const total = wholeNumber(count);
  return (
    <div className="pager">
      <span className="grow">
        {t('layout.shown', {
          from: wholeNumber(from),
          to: wholeNumber(to),
          count: shown.meta?.isEstimated === true ? t('layout.about', { count: total }) : total,
        })}
      </span>
      <label className="rows">
        {t('layout.rows')}
        <span className="in">
          <select
            value={pageSizes.includes(shown.perPage) ? shown.perPage : ''}
            onChange={({ target }) => onPerPage(Number(target.value))}
          >
            {pageSizes.includes(shown.perPage) ? null : <option value="" hidden />}
            {pageSizes.map((size) => (
              <option key={size} value={size}>
                {size}
              </option>
            ))}
          </select>
        </span>
      </label>
      {children}
    </div>
  );
}

const STEPS = [
  ['first', ChevronsLeft],
  ['previous', ChevronLeft],
  ['next', ChevronRight],
  ['last', ChevronsRight],
] as const;

/** Pager with buttons to the first, previous, next and last page, for lists whose page is not part of the address. */
export const StepPager = memo(function StepPager({
  onStep,
  ...pager
}: PagerProps & { readonly onStep: (step: Step) => void }) {
  const t = useText();
  return (
    <Pager {...pager}>
      <span className="page-steps">
        {STEPS.map(([step, icon]) => (
          <IconButton
            key={step}
            icon={icon}
            label={t(`layout.${step}_page`)}
            title={t(`layout.${step}_page`)}
            disabled={stepTo(step, pager.shown) === null}
            onClick={() => onStep(step)}
          />
        ))}
      </span>
    </Pager>
  );
});
