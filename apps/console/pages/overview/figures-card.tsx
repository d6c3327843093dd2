import type { ProviderAnswer } from '@moorage/contracts';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Overview } from '../../data/platform';
import { useText } from '../../texts/console-i18n';
import { nearInstant } from '../../ui/dates';
import { money } from '../../ui/money';

/** Figures of the period, and those of now. `providers` is undefined until they have loaded. */
export function FiguresCard({
  overview,
  providers,
}: {
  overview: Overview;
  providers: readonly ProviderAnswer[] | undefined;
}) {
  const t = useText();
  const { deployments, money: sums, signups } = overview;
  return (
    <section className="card platform-figures" aria-label={t('overview.figures.label')}>
      <Figure
        label={t('overview.figures.running')}
        value={deployments.running}
        more={t('overview.figures.running_more', { moving: deployments.in_progress, failed: deployments.failed })}
        to="/admin-deployments"
      />
      <Figure
        label={t('overview.figures.charged')}
        value={sums.charged === null ? t('layout.not_available') : money(sums.charged, { rounding: 'price' })}
        more={
          sums.charged === null ? (
            t('overview.figures.charged_many')
          ) : (
            <Change from={sums.charged_before ?? 0} to={sums.charged} />
          )
        }
      />
      <Figure
        label={t('overview.figures.paid')}
        value={money(sums.paid, { rounding: 'price' })}
        more={
          sums.taken_back === 0
            ? t('overview.figures.paid_more', { smart_count: sums.payments })
            : t('overview.figures.paid_back', {
                smart_count: sums.payments,
                amount: money(sums.taken_back, { rounding: 'price' }),
              })
        }
        to="/payments"
      />
      <Margin providers={providers} />
      <Figure
        label={t('overview.figures.signups')}
        value={signups.created}
        more={t('overview.figures.signups_more', { verified: signups.verified, ordered: signups.ordered })}
        to="/users"
      />
      <Books overview={overview} />
    </section>
  );
}

function Figure({
  label,
  value,
  more,
  state,
  to,
}: {
  label: string;
  value: ReactNode;
  more: ReactNode;
  state?: 'good' | 'bad' | undefined;
  to?: string;
}) {
  const content = (
    <>
      <span className="k">{label}</span>
      <b className={state}>{value}</b>
      <span className="small muted">{more}</span>
    </>
  );
  return to === undefined ? (
    <div>{content}</div>
  ) : (
    <Link to={to} className="figure-link">
      {content}
    </Link>
  );
}

/** Compares two sums, in whole percent. */
function Change({ from, to }: { from: number; to: number }) {
  const t = useText();
  if (from <= 0) return t('overview.figures.charged_none');
  const percent = Math.round(((to - from) / from) * 100);
  if (percent === 0) return t('overview.figures.charged_same');
  return t('overview.figures.charged_change', { change: percent > 0 ? `+${percent}` : `\u2212${-percent}` });
}

/** Margin of all servers at live providers. Simulated servers cost nothing. */
function Margin({ providers }: { providers: readonly ProviderAnswer[] | undefined }) {
  const t = useText();
  const live = providers?.filter(({ mode, servers }) => mode === 'live' && servers > 0);
  const label = t('overview.figures.margin');
  if (live === undefined) return <Figure label={label} value={'\u2026'} more="" />;
  const paid = live.reduce((sum, one) => sum + one.paid_daily, 0);
  const margin = live.reduce((sum, one) => sum + one.margin_daily, 0);
  if (paid === 0) return <Figure label={label} value={t('layout.none')} more={t('overview.figures.margin_none')} />;
  return (
    <Figure
      label={label}
      value={`${Math.round((margin / paid) * 100)} %`}
      more={t('overview.figures.margin_more', { amount: money(margin, { rounding: 'price', sign: true }) })}
      state={margin < 0 ? 'bad' : undefined}
      to="/providers"
    />
  );
}

const BOOKS = ['books_breached', 'books_unproven'];

function Books({ overview: { attention, checks, now } }: { overview: Overview }) {
  const t = useText();
  const isBad = attention.some(({ alert }) => alert !== null && BOOKS.includes(alert.kind));
  const { audited_at: at } = checks;
  const label = t('overview.figures.books');
  if (at === null && !isBad) return <Figure label={label} value={t('overview.figures.books_unknown')} more="" />;
  return (
    <Figure
      label={label}
      value={t(isBad ? 'overview.figures.books_bad' : 'overview.figures.books_ok')}
      more={at === null ? '' : t('overview.figures.books_more', { at: nearInstant(at, Date.parse(now)) })}
      state={isBad ? 'bad' : 'good'}
    />
  );
}
