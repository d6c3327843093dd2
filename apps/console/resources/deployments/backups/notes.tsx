import { BACKUP_DAYS, type SupportLevel } from '@moorage/domain';
import { Archive, CircleAlert, ClockAlert, FlaskConical, type LucideIcon, OctagonX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Backups } from '../../../data/backups';
import { type Deployment, useLevelQuote } from '../../../data/deployments';
import { useSession } from '../../../data/session';
import { useText } from '../../../texts/console-i18n';
import { nearInstant, shortInstant } from '../../../ui/dates';
import { MessageText } from '../../../ui/message-text';
import { money } from '../../../ui/money';
import { LevelChooser } from '../settings/level-chooser';
import { hasCopies, isLevelWithout } from './copy-messages';
import type { Rights } from './rights';
import { Button } from '../../../ui/button';
import './notes.css';

interface NotesProps {
  readonly backups: Backups;
  /** Undefined if its entry is deleted. */
  readonly deployment: Deployment | undefined;
  readonly isOver: boolean;
  readonly rights: Rights;
  readonly now: number;
}

/** Notes on the state of the backups, shown above the list. */
export function Notes({ backups, deployment, isOver, rights, now }: NotesProps) {
  const t = useText();
  const { mode, kept_until: until, failed_restore: failed, stale, next_at: next, days, copies } = backups;
  const lastFailure = copies.find(({ state }) => state !== 'running')?.failure ?? null;
  const waits = copies.some(({ state }) => state === 'running' || state === 'waiting');
  return (
    <>
      {failed !== null ? (
        <Note
          icon={OctagonX}
          tone="port"
          title={t('backups.notes.restore_failed', { at: nearInstant(failed.taken_at, now) })}
        >
          {failed.failure === null ? null : <MessageText message={failed.failure} />}
        </Note>
      ) : null}
      {mode === 'off' ? (
        <Note icon={CircleAlert} tone="brass" title={t('backups.notes.off')}>
          {t('backups.notes.off_more')}
        </Note>
      ) : null}
      {mode === 'simulated' && !isLevelWithout(backups) ? (
        <Note icon={FlaskConical} title={t('backups.notes.simulated')}>
          {t('backups.notes.simulated_more')}
        </Note>
      ) : null}
      {isLevelWithout(backups) && !isOver && deployment !== undefined ? (
        <LevelNote deployment={deployment} rights={rights} isSimulated={mode === 'simulated'} />
      ) : null}
      {until === null || (isOver && deployment !== undefined) ? null : (
        <Note icon={ClockAlert} tone="brass" title={t('backups.notes.ended')}>
          {t(isOver ? 'backups.notes.ended_gone' : 'backups.notes.ended_more', { date: shortInstant(until, now) })}
          {isOver || !rights.isOwner ? null : ` ${t('backups.notes.ended_back')}`}
        </Note>
      )}
      {stale ? (
        <Note
          icon={CircleAlert}
          tone="brass"
          title={t(hasCopies(backups) ? 'backups.notes.stale' : 'backups.notes.stale_none')}
        >
          {lastFailure === null ? null : (
            <>
              {t('backups.notes.stale_more')} <MessageText message={lastFailure} />
            </>
          )}
        </Note>
      ) : null}
      {!stale && days > 0 && mode !== 'off' && until === null && !isOver && !waits && copies.length === 0 ? (
        <Note icon={Archive} title={t('backups.notes.first')}>
          {next === null ? t('backups.notes.first_soon') : t('backups.notes.first_at', { at: nearInstant(next, now) })}
        </Note>
      ) : null}
    </>
  );
}

function Note({
  icon: Icon,
  tone = '',
  title,
  children,
}: {
  icon: LucideIcon;
  tone?: '' | 'brass' | 'port';
  title: string;
  children: ReactNode;
}) {
  return (
    <div className={`note ${tone}`} role="status">
      <Icon size={16} aria-hidden="true" />
      <div>
        <p>
          <b>{title}</b>
        </p>
        <p className="soft">{children}</p>
      </div>
    </div>
  );
}

const WITH_BACKUPS = [2, 3] as const satisfies readonly SupportLevel[];

/** Explains for level 1 what the other levels keep and cost, with a link to change the level. */
function LevelNote({
  deployment,
  rights,
  isSimulated,
}: {
  deployment: Deployment;
  rights: Rights;
  isSimulated: boolean;
}) {
  const t = useText();
  const [chooses, setChooses] = useState(false);
  const isVerified = useSession()?.user?.is_verified !== false;
  const mayChange = rights.isOwner && isVerified && deployment.actions.includes('change_level');
  return (
    <section className="card pad level-note" aria-labelledby="level-note">
      <h2 id="level-note">{t('backups.notes.level')}</h2>
      <p className="soft">{t('backups.notes.level_more')}</p>
      <ul>
        {WITH_BACKUPS.map((level) => (
          <LevelKeeps key={level} id={deployment.id} level={level} isOwner={rights.isOwner} />
        ))}
      </ul>
      {isSimulated ? <p className="small muted">{t('backups.notes.simulated_more')}</p> : null}
      {mayChange ? (
        <Button kind={chooses ? 'outlined' : 'primary'} aria-expanded={chooses} onClick={() => setChooses(!chooses)}>
          {t(chooses ? 'layout.cancel' : 'backups.notes.level_change')}
        </Button>
      ) : null}
      {chooses && mayChange ? <LevelChooser deployment={deployment} onDone={() => setChooses(false)} /> : null}
    </section>
  );
}

function LevelKeeps({ id, level, isOwner }: { id: number; level: 2 | 3; isOwner: boolean }) {
  const t = useText();
  const { data: quote } = useLevelQuote(id, level);
  const facts = [t('backups.notes.level_keeps', { level, days: BACKUP_DAYS[level] })];
  if (quote !== undefined) {
    facts.push(t('backups.notes.level_daily', { daily: money(quote.daily_cost, { rounding: 'price' }) }));
    const until = quote.runs_until.then;
    if (isOwner && until !== null) facts.push(t('backups.notes.level_until', { date: shortInstant(until) }));
  }
  return <li>{facts.join('; ')}.</li>;
}
