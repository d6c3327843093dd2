import { CircleCheck, CircleDashed, LoaderCircle, OctagonX } from 'lucide-react';
import type { ReactNode } from 'react';
import { SectionCard } from '../../../ui/card';
import { type Backups, type Copy, isUnderWay } from '../../../data/backups';
import { useText } from '../../../texts/console-i18n';
import { messageText } from '../../../texts/locale';
import { byteSize } from '../../../ui/bytes';
import { ago, duration, exactInstant, nearInstant } from '../../../ui/dates';
import { MessageText } from '../../../ui/message-text';
import { LockedButton } from '../../../parts/locked-button';
import { takenAt } from './calendar';
import { capital, copyName, newestBefore, tookMs } from './copy-messages';
import type { Rights } from './rights';
import { Button } from '../../../ui/button';

export interface CopyActs {
  readonly rights: Rights;
  /** The deployment is gone, so a copy can only become a new deployment. */
  readonly isOver: boolean;
  readonly onRestore: (copy: Copy) => void;
  readonly onDownload: (copy: Copy) => void;
  readonly onBackUp: () => void;
  /** Reason why no backup can be requested now, or null. */
  readonly backUpRefused: string | null;
  readonly isBackingUp: boolean;
}

/** All kept copies and failed attempts, newest first, below the backup in progress. */
export function CopiesCard({ backups, now, ...acts }: CopyActs & { backups: Backups; now: number }) {
  const t = useText();
  const shown = backups.copies.filter(({ state }) => state !== 'removed');
  const rows = [...shown.filter(isUnderWay), ...shown.filter((copy) => !isUnderWay(copy))];
  const proven = {
    checked: backups.checked?.ok === true ? newestBefore(rows, backups.checked.at) : undefined,
    tested: backups.tested?.ok === true ? newestBefore(rows, backups.tested.at) : undefined,
  };
  const newestFailed = rows.find(({ state }) => state === 'failed');
  return (
    <SectionCard id="copies" title={t('backups.copies.title')} aside={<Retention backups={backups} now={now} />}>
      {rows.length === 0 ? (
        <p className="pad muted">
          {t(backups.kept_until === null ? 'backups.copies.none' : 'backups.copies.none_kept')}
        </p>
      ) : (
        <div className="tablebox">
          <table className="t cards backup-copies" aria-label={t('backups.copies.title')}>
            <thead>
              <tr>
                <th scope="col">{t('backups.copies.taken')}</th>
                <th scope="col">{t('backups.copies.status')}</th>
                <th scope="col" className="num">
                  {t('backups.copies.size')}
                </th>
                <th scope="col" className="num">
                  {t('backups.copies.duration')}
                </th>
                <th scope="col">
                  <span className="vh">{t('backups.copies.actions')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((copy) => (
                <CopyRow
                  key={copy.id}
                  copy={copy}
                  now={now}
                  proof={
                    <>
                      {copy === proven.checked && backups.checked !== null
                        ? t('backups.copies.checked', { ago: ago(backups.checked.at, now) })
                        : null}
                      {copy === proven.checked && copy === proven.tested ? ', ' : null}
                      {copy === proven.tested ? t('backups.copies.tested') : null}
                    </>
                  }
                  isNewestFailed={copy === newestFailed}
                  {...acts}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </SectionCard>
  );
}

function Retention({ backups: { days, next_at: next, kept_until: until }, now }: { backups: Backups; now: number }) {
  const t = useText();
  if (days === 0 || until !== null) return null;
  return (
    <span className="small muted">
      {next === null
        ? t('backups.copies.kept', { days })
        : t('backups.copies.kept_next', { days, at: nearInstant(next, now) })}
    </span>
  );
}

function CopyRow({
  copy,
  now,
  proof,
  isNewestFailed,
  ...acts
}: CopyActs & { copy: Copy; now: number; proof: ReactNode; isNewestFailed: boolean }) {
  const t = useText();
  const took = tookMs(copy);
  const bytes = copy.state === 'complete' ? copy.bytes : null;
  return (
    <tr>
      <td>
        <time dateTime={takenAt(copy)} title={exactInstant(takenAt(copy))}>
          <b>{capital(copyName(copy, now))}</b>
        </time>
        <span className="sub">{t(`backups.kinds.${copy.kind}`)}</span>
      </td>
      <td className="state">
        <State copy={copy} now={now} proof={proof} />
      </td>
      <td className="num" data-l={bytes === null ? undefined : t('backups.copies.size')}>
        {bytes === null ? null : byteSize(bytes)}
      </td>
      <td
        className="num"
        data-l={copy.state === 'complete' && took !== null ? t('backups.copies.duration') : undefined}
      >
        {copy.state === 'complete' && took !== null ? duration(took) : null}
      </td>
      <td className="act">
        <Acts copy={copy} now={now} isNewestFailed={isNewestFailed} {...acts} />
      </td>
    </tr>
  );
}

function State({ copy, now, proof }: { copy: Copy; now: number; proof: ReactNode }) {
  const t = useText();
  const { state, failure, retry_at: retryAt } = copy;
  const words = t(`backups.states.${state}`);
  switch (state) {
    case 'running':
      return <Progress copy={copy} words={words} />;
    case 'waiting':
      return (
        <>
          <span className="st busy">
            <CircleDashed size={16} className={retryAt === null ? 'spin' : undefined} aria-hidden="true" />
            <span>{words}</span>
          </span>
          {failure === null ? null : (
            <span className="sub">
              <MessageText message={failure} />
            </span>
          )}
          <span className="sub">
            {retryAt === null ? t('backups.copies.soon') : t('backups.copies.retry', { at: nearInstant(retryAt, now) })}
          </span>
        </>
      );
    case 'failed':
      return (
        <>
          <span className="tag port">
            <OctagonX size={16} aria-hidden="true" />
            {words}
          </span>
          {failure === null ? null : (
            <span className="sub">
              <MessageText message={failure} />
            </span>
          )}
        </>
      );
    case 'complete':
    case 'removed':
      return (
        <>
          <span className="st good">
            <CircleCheck size={16} aria-hidden="true" />
            <span>{words}</span>
          </span>
          <span className="sub">{proof}</span>
        </>
      );
  }
}

function Progress({ copy: { percent, bytes_done: done }, words }: { copy: Copy; words: string }) {
  const t = useText();
  const size = byteSize(done ?? 0);
  return (
    <>
      <span className="st busy">
        <LoaderCircle size={16} className="spin" aria-hidden="true" />
        <span>{words}</span>
      </span>
      {percent === null ? null : (
        <div
          className="meter"
          role="progressbar"
          aria-label={t('backups.copies.progress')}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
        >
          <i style={{ transform: `scaleX(${percent / 100})` }} />
        </div>
      )}
      {done === null ? null : (
        <span className="sub">
          {percent === null
            ? t('backups.copies.done', { done: size })
            : t('backups.copies.percent', { percent, done: size })}
        </span>
      )}
    </>
  );
}

function Acts({
  copy,
  now,
  isNewestFailed,
  rights,
  isOver,
  onRestore,
  onDownload,
  onBackUp,
  backUpRefused,
  isBackingUp,
}: CopyActs & { copy: Copy; now: number; isNewestFailed: boolean }) {
  const t = useText();
  const at = copyName(copy, now);
  if (copy.state === 'failed')
    return rights.isOwner && isNewestFailed && !isOver ? (
      <LockedButton
        size="small"
        reason={backUpRefused}
        aria-busy={isBackingUp ? true : undefined}
        aria-label={t('backups.copies.again_of', { kind: t(`backups.kinds.${copy.kind}`), at })}
        onClick={onBackUp}
      >
        {t('backups.again')}
      </LockedButton>
    ) : null;
  if (!copy.restorable) return null;
  if (isOver ? !rights.isOwner : !(rights.isOwner || rights.mayRestore)) return null;
  const restore = (
    <Button
      size="small"
      aria-haspopup="dialog"
      aria-label={t(isOver ? 'backups.copies.create_of' : 'backups.copies.restore_of', { at })}
      onClick={() => onRestore(copy)}
    >
      {t(isOver ? 'backups.copies.create' : 'backups.copies.restore')}
    </Button>
  );
  // Only the owner may see the contents of a backup.
  if (!rights.isOwner) return restore;
  return (
    <>
      {restore}
      <Button
        size="small"
        aria-haspopup="dialog"
        aria-label={t('backups.download.of', { at })}
        onClick={() => onDownload(copy)}
      >
        {t('backups.download.button')}
      </Button>
    </>
  );
}

/** Returns the reason why no backup can be requested now, in the page's language. */
export const refusedText = ({ backup_refused: refused }: Backups): string | null =>
  refused === null ? null : messageText(refused);
