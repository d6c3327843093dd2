import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Overview } from '../../data/platform';
import { useText } from '../../texts/console-i18n';
import { SectionCard } from '../../ui/card';
import { dayFrom, nearInstant } from '../../ui/dates';

type State = 'good' | 'bad' | 'unknown';
const ICONS = { good: CircleCheck, bad: CircleAlert, unknown: CircleDashed };

/** Alerts that mean that a check is late. */
const LATE = { audit: 'audit_late', daily: 'daily_run_late', events: 'event_unsent', work: 'work_overdue' } as const;

/** Times of the last checks behind the alerts, and the transports of the responding process. */
export function ChecksCard({ overview: { checks, attention, now } }: { overview: Overview }) {
  const t = useText();
  const isOpen = (kind: string): boolean => attention.some(({ alert }) => alert?.kind === kind);
  const at = (iso: string | null): string =>
    iso === null ? t('overview.checks.never') : t('overview.checks.at', { at: nearInstant(iso, Date.parse(now)) });
  const stateOf = (iso: string | null, isLate: boolean): State => (isLate ? 'bad' : iso === null ? 'unknown' : 'good');
  const { daily_run: run, transports } = checks;
  const hasTroubles = transports.troubles.length > 0;
  return (
    <SectionCard id="checks" title={t('overview.checks.title')}>
      <ul className="platform-checks">
        <Check label={t('overview.checks.watch')} state={stateOf(checks.checked_at, checks.is_late)}>
          {checks.is_late ? t('overview.checks.late') : at(checks.checked_at)}
        </Check>
        <Check label={t('overview.checks.audit')} state={stateOf(checks.audited_at, isOpen(LATE.audit))}>
          {at(checks.audited_at)}
        </Check>
        <Check
          label={t('overview.checks.daily')}
          state={run === null ? 'unknown' : isOpen(LATE.daily) ? 'bad' : 'good'}
        >
          {run === null
            ? t('overview.checks.never')
            : run.finished_at === null
              ? t('overview.checks.running', { day: dayFrom(now, run.day) })
              : t('overview.checks.done', {
                  day: dayFrom(now, run.day),
                  at: nearInstant(run.finished_at, Date.parse(now)),
                })}
        </Check>
        <Check label={t('overview.checks.comparison')} state={stateOf(checks.compared_at, false)}>
          {at(checks.compared_at)}
        </Check>
        <Check label={t('overview.checks.events')} state={isOpen(LATE.events) || hasTroubles ? 'bad' : 'good'}>
          {hasTroubles ? t('overview.checks.trouble') : t(`overview.checks.transport.${transports.events}`)}
        </Check>
        <Check label={t('overview.checks.work')} state={isOpen(LATE.work) || hasTroubles ? 'bad' : 'good'}>
          {hasTroubles ? t('overview.checks.trouble') : t(`overview.checks.transport.${transports.work}`)}
        </Check>
      </ul>
      {hasTroubles ? (
        <div className="pad small soft anywhere" role="note">
          {transports.troubles.map((trouble) => (
            <p key={trouble}>{trouble}</p>
          ))}
        </div>
      ) : null}
    </SectionCard>
  );
}

function Check({ label, state, children }: { label: string; state: State; children: ReactNode }) {
  const Icon = ICONS[state];
  return (
    <li>
      <Icon size={16} aria-hidden="true" className={state} />
      <span className="grow">{label}</span>
      <span className="small muted">{children}</span>
    </li>
  );
}
