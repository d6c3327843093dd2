import type { LeakAnswer, LeakPageAnswer } from '@moorage/contracts';
import { CircleCheck } from 'lucide-react';
import { Link, useSearchParams } from 'react-router-dom';
import { LEAK_FILTERS, type LeakFilter } from '@moorage/domain';
import { SectionCard, Loaded } from '../../ui/card';
import { Instant } from '../../ui/instant';
import { useCatalogueNames } from '../../data/catalogue';
import { useRead } from '../../data/use-read';
import { useText } from '../../texts/console-i18n';
import { money } from '../../ui/money';
import { PageLinks } from '../../ui/list/page-links';
import { LeakTable } from './leak-table';
import './leaks-card.css';

const REFRESH_MS = 30_000;
/** Poll interval while a decision is being carried out. */
const SOON_MS = 3_000;
const PER_PAGE = 10;

/** Leaked resources at the providers: open, kept or ended. */
export function LeaksCard() {
  const t = useText();
  const [search] = useSearchParams();
  const show = LEAK_FILTERS.find((view) => view === search.get('leaks')) ?? 'open';
  const page = Math.max(1, Number.parseInt(search.get('leaks_page') ?? '1', 10) || 1);
  const leaks = useRead(
    'providers',
    'GET /admin/leaks',
    { query: { show, page, per_page: PER_PAGE } },
    {
      refetchInterval: ({ state: { data } }) => (data?.leaks.some(isUnderWay) === true ? SOON_MS : REFRESH_MS),
      placeholderData: (before) => before,
      retry: false,
    },
  );
  return (
    <SectionCard id="leaks" title={t('leaks.title')} aside={<Views shown={show} />}>
      <Loaded query={leaks} failed={t('leaks.failed')}>
        {(found) => <Leaks found={found} show={show} />}
      </Loaded>
    </SectionCard>
  );
}

const isUnderWay = ({ state }: LeakAnswer): boolean => state === 'removing' || state === 'adopting';

const addressOf = (show: LeakFilter, page = 1): string => `/providers?leaks=${show}&leaks_page=${page}#leaks`;

function Views({ shown }: { shown: LeakFilter }) {
  const t = useText();
  return (
    <nav className="leak-views" aria-label={t('leaks.filters')}>
      {LEAK_FILTERS.map((view) => (
        <Link key={view} to={addressOf(view)} aria-current={view === shown ? 'page' : undefined}>
          {t(`leaks.view.${view}`)}
        </Link>
      ))}
    </nav>
  );
}

function Leaks({ found, show }: { found: LeakPageAnswer; show: LeakFilter }) {
  const t = useText();
  const { leaks, failures, looked_at: at, cost_daily: cost } = found;
  const names = useCatalogueNames([...new Set([...leaks, ...failures].map(({ provider }) => provider))].sort());
  return (
    <>
      <div className="pad stack">
        <p className="soft">
          {t('leaks.what')} {at === null ? t('leaks.never_checked') : t('leaks.looked_at')}{' '}
          {at === null ? null : <Instant iso={at} />}
        </p>
        {leaks.some(({ is_simulated: isSimulated }) => isSimulated) ? (
          <p className="note flat">{t('leaks.simulated')}</p>
        ) : null}
        {failures.map(({ provider, words }) => (
          <p className="note brass" key={provider}>
            {t('leaks.not_checked', { provider: names.providerName(provider) })} <q className="anywhere">{words}</q>
          </p>
        ))}
        {leaks.length === 0 ? (
          <p className="row soft">
            <CircleCheck size={16} aria-hidden="true" className="good" />
            {t(`leaks.none.${show}`)}
          </p>
        ) : null}
        {show === 'open' && leaks.length > 0 ? (
          <p>{t('leaks.total', { cost: money(cost, { rounding: 'price' }) })}</p>
        ) : null}
      </div>
      {leaks.length === 0 ? null : <LeakTable leaks={leaks} nameOf={names.providerName} />}
      {found.total_pages > 1 ? (
        <PageLinks page={found.current_page} total={found.total_pages} addressOf={(page) => addressOf(show, page)} />
      ) : null}
    </>
  );
}
