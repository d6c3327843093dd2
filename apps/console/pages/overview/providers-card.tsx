import type { ProviderAnswer } from '@moorage/contracts';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { useRead } from '../../data/use-read';
import { useText } from '../../texts/console-i18n';
import { Loaded, SectionCard } from '../../ui/card';
import { DataTable } from '../../ui/data-table';
import { money } from '../../ui/money';

type Row = ProviderAnswer & { readonly id: string };
const Column = DataTable.Col<Row>;

/** Providers that are switched on: whether they can be used, and what their servers cost and bring in. */
export function ProvidersCard({
  query,
}: {
  query: Pick<ReturnType<typeof useRead<'GET /admin/providers'>>, 'data' | 'isError' | 'error' | 'refetch'>;
}) {
  const t = useText();
  return (
    <SectionCard
      id="providers"
      title={t('overview.providers.title')}
      aside={
        <Link className="small" to="/providers">
          {t('overview.providers.all')}
        </Link>
      }
    >
      <Loaded query={query} failed={t('overview.providers.failed')}>
        {(all) => <Providers rows={all.filter(({ mode, servers }) => mode !== 'off' || servers > 0)} />}
      </Loaded>
    </SectionCard>
  );
}

function Providers({ rows }: { rows: readonly ProviderAnswer[] }) {
  const t = useText();
  if (rows.length === 0) return <p className="pad soft">{t('overview.providers.none')}</p>;
  return (
    <DataTable<Row> label={t('overview.providers.title')} rows={rows.map((row) => ({ ...row, id: row.provider }))}>
      <Column
        label={t('overview.providers.provider')}
        render={({ provider, display_name: name }) => (
          <Link className="name" to={`/providers#${provider}`}>
            {name}
          </Link>
        )}
      />
      <Column label={t('overview.providers.state')} render={(row) => <State provider={row} />} />
      <Column label={t('overview.providers.servers')} align="right" render={({ servers }) => servers} />
      <Column
        label={t('overview.providers.cost')}
        align="right"
        render={({ cost_daily: cost }) => money(cost, { rounding: 'price' })}
      />
      <Column
        label={t('overview.providers.paid')}
        align="right"
        render={({ paid_daily: paid }) => money(paid, { rounding: 'price' })}
      />
      <Column
        label={t('overview.providers.margin')}
        align="right"
        render={({ margin_percent: percent, margin_daily: margin }) =>
          percent === null ? (
            <span className="muted">{t('layout.none')}</span>
          ) : (
            <span className={margin < 0 ? 'bad' : undefined}>{percent} %</span>
          )
        }
      />
    </DataTable>
  );
}

/** Returns the most important state of a provider. */
function stateOf({ mode, distrusted, access, paused_until: paused }: ProviderAnswer) {
  if (distrusted !== null) return 'distrusted';
  if (access !== null && access.state !== 'proven') return access.state;
  if (paused !== null) return 'paused';
  return mode === 'simulated' ? 'simulated' : 'available';
}

function State({ provider }: { provider: ProviderAnswer }) {
  const t = useText();
  const state = stateOf(provider);
  const text = t(`overview.providers.states.${state}`);
  if (state === 'simulated') return <span className="tag">{text}</span>;
  return state === 'available' ? (
    <span className="st good">
      <CircleCheck size={16} aria-hidden="true" />
      <span>{text}</span>
    </span>
  ) : (
    <span className={state === 'distrusted' || state === 'refused' ? 'tag port' : 'tag brass'}>
      <TriangleAlert size={14} aria-hidden="true" />
      {text}
    </span>
  );
}
