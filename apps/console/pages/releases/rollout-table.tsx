import { nextRing } from '@moorage/domain';
import { useState } from 'react';
import type { Rollout } from '../../data/updates';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { DataTable } from '../../ui/data-table';
import { dayWithYear } from '../../ui/dates';
import { Instant } from '../../ui/instant';
import { type Decision, DecisionDialog, offerText } from './decision-dialog';

type Row = Rollout & { readonly id: string };
const Column = DataTable.Col<Row>;

/** Versions of a package, each with the outcome of its updates and what can be decided about it. */
export function RolloutTable({ label, versions }: { label: string; versions: readonly Rollout[] }) {
  const t = useText();
  const [requested, setRequested] = useState<{ rollout: Rollout; decision: Decision } | null>(null);
  return (
    <>
      <DataTable label={label} rows={versions.map((rollout) => ({ ...rollout, id: rollout.version }))}>
        <Column label={t('updates.rollout.version')} render={(rollout) => <VersionFacts rollout={rollout} />} />
        <Column label={t('updates.rollout.offered')} render={(rollout) => <Offered rollout={rollout} />} />
        <Column label={t('updates.rollout.deployments')} render={({ deployments }) => deployments} />
        <Column
          label={t('updates.rollout.updates')}
          render={({ running, done, undone }) => (
            <span className={undone > 0 ? 'problem' : undefined}>
              {t('updates.rollout.counts', { running, done, undone })}
            </span>
          )}
        />
        <Column label={t('updates.rollout.decided')} render={(rollout) => <Decided rollout={rollout} />} />
        <Column
          label={<span className="vh">{t('updates.rollout.actions')}</span>}
          render={(rollout) => (
            <Actions rollout={rollout} onRequest={(decision) => setRequested({ rollout, decision })} />
          )}
        />
      </DataTable>
      {requested === null ? null : <DecisionDialog {...requested} onClose={() => setRequested(null)} />}
    </>
  );
}

function VersionFacts({ rollout: { version, kind, released_on: releasedOn } }: { rollout: Rollout }) {
  const t = useText();
  return (
    <span className="who">
      <span>
        <b>{version}</b> <span className={kind === 'security' ? 'tag brass' : 'tag'}>{t(`updates.kind.${kind}`)}</span>
      </span>
      <span className="small muted">{dayWithYear(releasedOn)}</span>
    </span>
  );
}

/** Shows which deployments are offered the version, or were until it was stopped. */
function Offered({ rollout: { ring, state } }: { rollout: Rollout }) {
  const t = useText();
  return (
    <span className="who">
      {state === 'rolling' ? null : (
        <span className={state === 'stopped' ? 'tag brass' : 'tag off'}>{t(`updates.rollout.${state}`)}</span>
      )}
      {state === 'withdrawn' ? null : (
        <span className={state === 'rolling' ? undefined : 'muted'}>{t(`updates.rollout.ring.${ring}`)}</span>
      )}
    </span>
  );
}

function Decided({ rollout: { changed_at: at, changed_by: by, is_first: isFirst } }: { rollout: Rollout }) {
  const t = useText();
  if (at === null)
    return <span className="muted">{t(isFirst ? 'updates.rollout.always' : 'updates.rollout.undecided')}</span>;
  return (
    <span className="who">
      <Instant iso={at} />
      <span className="small muted">
        {by === null ? t('updates.rollout.by_failures') : t('updates.rollout.by', { name: by })}
      </span>
    </span>
  );
}

/** Returns what can be decided about a version. */
function decisionsOf({ is_first: isFirst, state, ring }: Rollout): readonly Decision[] {
  if (isFirst || state === 'withdrawn') return [];
  if (state === 'stopped') return ['continue', 'withdraw'];
  return [
    ...(nextRing(ring) === null ? [] : (['offer'] as const)),
    ...(ring === 'none' ? [] : (['stop'] as const)),
    'withdraw',
  ];
}

function Actions({ rollout, onRequest }: { rollout: Rollout; onRequest: (decision: Decision) => void }) {
  const t = useText();
  return (
    <span className="row-acts">
      {decisionsOf(rollout).map((decision) => (
        <Button
          key={decision}
          kind={decision === 'withdraw' ? 'danger' : undefined}
          size="small"
          aria-haspopup="dialog"
          onClick={() => onRequest(decision)}
        >
          {decision === 'offer' ? offerText(t, rollout.ring) : t(`updates.rollout.${decision}.button`)}
          <span className="vh"> {rollout.version}</span>
        </Button>
      ))}
    </span>
  );
}
