import type { LeakAnswer } from '@moorage/contracts';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { DataTable } from '../../ui/data-table';
import { Instant } from '../../ui/instant';
import { money } from '../../ui/money';
import { type LeakDecision, LeakDialog } from './leak-dialog';
import { LeakState } from './leak-state';
import './leak-table.css';

const Column = DataTable.Col<LeakAnswer>;

/** Leaked resources, each with the decisions that are possible. */
export function LeakTable({ leaks, nameOf }: { leaks: readonly LeakAnswer[]; nameOf: (provider: string) => string }) {
  const t = useText();
  const [requested, setRequested] = useState<{ leak: LeakAnswer; decision: LeakDecision } | null>(null);
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
          render={({ cost_daily: cost }) =>
            cost === null ? t('leaks.cost_unknown') : money(cost, { rounding: 'price' })
          }
        />
        <Column label={t('leaks.state_label')} render={(leak) => <LeakState leak={leak} />} />
        <Column
          label={<span className="vh">{t('leaks.actions')}</span>}
          render={(leak) => <Actions leak={leak} onRequest={(decision) => setRequested({ leak, decision })} />}
        />
      </DataTable>
      {requested === null ? null : <LeakDialog {...requested} onClose={() => setRequested(null)} />}
    </>
  );
}

function Thing({ leak: { kind, name, provider_id: id, labels, deployment_id: deployment } }: { leak: LeakAnswer }) {
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

function Actions({ leak, onRequest }: { leak: LeakAnswer; onRequest: (decision: LeakDecision) => void }) {
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
