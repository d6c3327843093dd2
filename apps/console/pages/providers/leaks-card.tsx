import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { LEAK_FILTERS, type LeakFilter } from '@moorage/domain';
import { SectionCard, Loaded } from '../../ui/card';
import { Instant } from '../../ui/instant';
import { DataTable } from '../../ui/data-table';
import { useCatalogueNames } from '../../data/catalogue';
import { type Leak, type LeakDecision, type LeakPage, useLeaks } from '../../data/leaks';
import { useText } from '../../texts/console-i18n';
import { money } from '../../ui/money';
import { PageLinks } from '../../ui/list/page-links';
import { LeakDialog } from './leak-dialog';
import { Button } from '../../ui/button';
import './leaks.css';

const Column = DataTable.Col<Leak>;

/** Leaked resources at the providers: open, kept or ended. */
export function LeaksCard() {
  const t = useText();
  const [search] = useSearchParams();
  const show = LEAK_FILTERS.find((view) => view === search.get('leaks')) ?? 'open';
  const page = Math.max(1, Number.parseInt(search.get('leaks_page') ?? '1', 10) || 1);
  return (
    <SectionCard id="leaks" title={t('leaks.title')} aside={<Views shown={show} />}>
      <Loaded query={useLeaks({ show, page })} failed={t('leaks.failed')}>
        {(found) => <Leaks found={found} show={show} />}
      </Loaded>
    </SectionCard>
  );
}

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

function Leaks({ found, show }: { found: LeakPage; show: LeakFilter }) {
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
        {show === 'open' && leaks.length > 0 ? <p>{t('leaks.total', { cost: costOf(cost) })}</p> : null}
      </div>
      {leaks.length === 0 ? null : <Table leaks={leaks} nameOf={names.providerName} />}
      {found.total_pages > 1 ? (
        <PageLinks page={found.current_page} total={found.total_pages} addressOf={(page) => addressOf(show, page)} />
      ) : null}
    </>
  );
}

const costOf = (amount: number): string => money(amount, { rounding: 'half_up' });

function Table({ leaks, nameOf }: { leaks: readonly Leak[]; nameOf: (provider: string) => string }) {
  const t = useText();
  const [requested, setRequested] = useState<{ leak: Leak; decision: LeakDecision } | null>(null);
  return (
    <>
      <DataTable label={t('leaks.title')} rows={leaks}>
        <Column label={t('leaks.thing')} render={(leak) => <Thing leak={leak} />} />
        <Column
          label={t('leaks.place')}
          render={({ provider, region }) => [nameOf(provider), region].filter((part) => part !== '').join(', ')}
        />
        <Column label={t('leaks.first_seen')} render={({ first_seen_at: at }) => <Instant iso={at} />} />
        <Column
          label={t('leaks.cost')}
          render={({ cost_daily: cost }) => (cost === null ? t('leaks.cost_unknown') : costOf(cost))}
        />
        <Column label={t('leaks.state_label')} render={(leak) => <State leak={leak} />} />
        <Column
          label={<span className="vh">{t('leaks.actions')}</span>}
          render={(leak) => <Actions leak={leak} onRequest={(decision) => setRequested({ leak, decision })} />}
        />
      </DataTable>
      {requested === null ? null : <LeakDialog {...requested} onClose={() => setRequested(null)} />}
    </>
  );
}

function Thing({ leak: { kind, name, provider_id: id, labels, deployment_id: deployment } }: { leak: Leak }) {
  const t = useText();
  return (
    <>
      <b>{t(`leaks.kind.${kind}`)}</b> <span className="anywhere">{name === '' ? id : name}</span>
      <br />
      <span className="mono small soft anywhere">
        {Object.entries(labels)
          .map(([label, value]) => `${label}=${value}`)
          .join(' ')}
      </span>
      {deployment === null ? null : (
        <>
          <br />
          <Link to={`/admin-deployments/${deployment}/show`}>{t('leaks.deployment', { id: deployment })}</Link>
        </>
      )}
    </>
  );
}

const TAGS: Readonly<Record<Leak['state'], string>> = {
  suspected: 'tag off',
  confirmed: 'tag brass',
  removing: 'tag sea',
  adopting: 'tag sea',
  kept: 'tag off',
  removed: 'tag off',
  adopted: 'tag off',
  gone: 'tag off',
};

function State({ leak: { state, confirmed_from: from, decision, failure } }: { leak: Leak }) {
  const t = useText();
  return (
    <>
      <span className={TAGS[state]}>{t(`leaks.state.${state}`)}</span>
      {from === null ? null : (
        <span className="block small soft">
          {t('leaks.next_check')} <Instant iso={from} />
        </span>
      )}
      {decision === null ? null : (
        <span className="block small soft anywhere">
          {t('leaks.decided', { by: decision.by, reason: decision.reason })}
        </span>
      )}
      {failure === null ? null : (
        <span className="block small bad anywhere">
          {t(`leaks.failure.${failure.reason}`)} {failure.words === null ? null : <q>{failure.words}</q>}
        </span>
      )}
    </>
  );
}

function Actions({ leak, onRequest }: { leak: Leak; onRequest: (decision: LeakDecision) => void }) {
  const t = useText();
  const decisions: readonly LeakDecision[] =
    leak.state === 'confirmed'
      ? [...(leak.is_adoptable ? (['adopt'] as const) : []), 'keep', 'remove']
      : leak.state === 'kept'
        ? ['remove']
        : [];
  const name = leak.name === '' ? leak.provider_id : leak.name;
  return (
    <span className="leak-actions">
      {decisions.map((decision) => (
        <Button size="small" key={decision} onClick={() => onRequest(decision)}>
          {t(`leaks.${decision}.button`)}
          <span className="vh"> {name}</span>
        </Button>
      ))}
    </span>
  );
}
