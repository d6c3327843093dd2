import { Loaded } from '../../ui/card';
import type { ProviderAnswer } from '@moorage/contracts';
import { PROVIDER_LIST } from '../../data/actions/providers';
import { useRead } from '../../data/use-read';
import { useText } from '../../texts/console-i18n';
import { money } from '../../ui/money';
import { useTitle } from '../../ui/use-title';
import { AdminOnly } from '../../parts/admin-only';
import { LeaksCard } from './leaks-card';
import { isChecking } from './check-button';
import { ProviderCard } from './provider-card';
import './providers.css';

const REFRESH_MS = 30_000;
/** Poll interval while a check is running. */
const POLL_MS = 3_000;

/** Cloud providers of this installation: their state, their servers and the cost. */
export default function ProvidersPage() {
  const t = useText();
  useTitle(t('providers.title'));
  return (
    <AdminOnly>
      <main className="main providers" id="content" tabIndex={-1}>
        <div className="title">
          <h1 className="grow">{t('providers.title')}</h1>
        </div>
        <Providers />
      </main>
    </AdminOnly>
  );
}

function Providers() {
  const t = useText();
  const providers = useRead(
    'providers',
    PROVIDER_LIST,
    {},
    {
      refetchInterval: ({ state: { data = [] } }) => (data.some(isChecking) ? POLL_MS : REFRESH_MS),
      retry: false,
    },
  );
  return (
    <Loaded query={providers} failed={t('providers.failed')}>
      {(all) => (
        <div className="stack">
          {all.some(({ mode }) => mode === 'simulated') ? (
            <p className="note flat">{t('providers.simulated')}</p>
          ) : null}
          <Totals all={all} />
          <div className="provider-cards">
            {all.map((provider) => (
              <ProviderCard key={provider.provider} provider={provider} />
            ))}
          </div>
          <LeaksCard />
        </div>
      )}
    </Loaded>
  );
}

/** Daily cost of all real servers. Simulated servers cost nothing. */
function Totals({ all }: { all: readonly ProviderAnswer[] }) {
  const t = useText();
  const live = all.filter(({ mode }) => mode === 'live');
  if (live.length === 0) return null;
  const sum = (of: (one: ProviderAnswer) => number): number => live.reduce((total, one) => total + of(one), 0);
  return (
    <p className="soft">
      {t('providers.totals', {
        smart_count: sum(({ servers }) => servers),
        cost: money(
          sum((one) => one.cost_daily),
          { rounding: 'price' },
        ),
        paid: money(
          sum((one) => one.paid_daily),
          { rounding: 'price' },
        ),
        margin: money(
          sum((one) => one.margin_daily),
          { rounding: 'price', sign: true },
        ),
      })}
    </p>
  );
}
