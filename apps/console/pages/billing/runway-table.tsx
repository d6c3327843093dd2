import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useText } from '../../texts/console-i18n';
import { dayName } from '../../ui/dates';
import { exactMoney, money } from '../../ui/money';
import type { ChartDay } from './chart-shape';
import { type Bucket, BalanceLegend } from '../../parts/money/balance-legend';
import './runway-table.css';

const BUCKETS: readonly Bucket[] = ['regular', 'referral', 'signup'];

/** Expandable table of the chart's numbers. A bucket that is empty on every day has no column. */
export function RunwayTable({ days }: { days: readonly ChartDay[] }) {
  const t = useText();
  const buckets = BUCKETS.filter((bucket) => days.some((day) => day[bucket] > 0));
  return (
    <details className="runway-numbers">
      <summary>{t('billing.runway.numbers')}</summary>
      <div className="scrolls" tabIndex={0} role="region" aria-label={t('billing.runway.numbers')}>
        <Table size="small">
          <TableHead>
            <TableRow>
              <TableCell>{t('billing.runway.day')}</TableCell>
              <TableCell align="right">{t('billing.runway.charged')}</TableCell>
              {buckets.map((bucket) => (
                <TableCell key={bucket} align="right">
                  <span className="row right">
                    <BalanceLegend bucket={bucket} />
                    {t(`billing.runway.${bucket}`)}
                  </span>
                </TableCell>
              ))}
              <TableCell align="right">{t('billing.runway.total')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {days.map((day, index) => (
              <TableRow key={day.date} className={day.lasts ? undefined : 'after'}>
                <TableCell component="th" scope="row">
                  {index === 0 ? t('billing.today') : dayName(day.date)}
                </TableCell>
                <TableCell align="right" title={exactMoney(-day.charged)}>
                  {money(-day.charged, { rounding: 'price' })}
                </TableCell>
                {buckets.map((bucket) => (
                  <TableCell key={bucket} align="right" title={exactMoney(day[bucket])}>
                    {money(day[bucket], { rounding: 'balance' })}
                  </TableCell>
                ))}
                <TableCell align="right" title={exactMoney(day.total)}>
                  <b>{money(day.total, { rounding: 'balance' })}</b>
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </div>
    </details>
  );
}
