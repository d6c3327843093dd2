import { type ReactNode } from 'react';
import { SectionCard } from '../../../ui/card';
import { type Backups, type Copy, isUnderWay } from '../../../data/backups';
import { useText } from '../../../texts/console-i18n';
import { messageText } from '../../../texts/locale';
import { byteSize } from '../../../ui/bytes';
import { CardLine, DataTable } from '../../../ui/data-table';
import { ago, duration, exactInstant, nearInstant } from '../../../ui/dates';
import { takenAt } from './calendar';
import { CopyActions, type CopyActs } from './copy-acts';
import { capital, copyName, newestBefore, otherRelease, tookMs } from './copy-messages';
import { CopyState } from './copy-state';
import './copies-card.css';

/** All kept copies and failed attempts, newest first, below the backup in progress. */
export function CopiesCard({ backups, now, ...acts }: CopyActs & { backups: Backups; now: number }) {
  const t = useText();
  const shown = backups.copies.filter(({ state }) => state !== 'removed');
  const rows = [...shown.filter(isUnderWay), ...shown.filter((copy) => !isUnderWay(copy))];
  const proofOf = useProofs(backups, rows, now);
  const newestFailed = rows.find(({ state }) => state === 'failed');
  return (
    <SectionCard id="copies" title={t('backups.copies.title')} aside={<Retention backups={backups} now={now} />}>
      {rows.length === 0 ? (
        <p className="pad muted">
          {t(backups.kept_until === null ? 'backups.copies.none' : 'backups.copies.none_kept')}
        </p>
      ) : (
        <DataTable<Copy>
          className="backup-copies"
          label={t('backups.copies.title')}
          rows={rows}
          card={(copy) => (
            <>
              <Taken copy={copy} backups={backups} now={now} />
              <span className="state">
                <CopyState copy={copy} now={now} proof={proofOf(copy)} />
              </span>
              <Measured copy={copy} />
              <span className="act">
                <CopyActions copy={copy} now={now} isNewestFailed={copy === newestFailed} {...acts} />
              </span>
            </>
          )}
        >
          <DataTable.Col<Copy>
            label={t('backups.copies.taken')}
            render={(copy) => <Taken copy={copy} backups={backups} now={now} />}
          />
          <DataTable.Col<Copy>
            label={t('backups.copies.status')}
            render={(copy) => (
              <span className="state">
                <CopyState copy={copy} now={now} proof={proofOf(copy)} />
              </span>
            )}
          />
          <DataTable.Col<Copy> className="num" label={t('backups.copies.size')} render={(copy) => sizeOf(copy)} />
          <DataTable.Col<Copy> className="num" label={t('backups.copies.duration')} render={(copy) => timeOf(copy)} />
          <DataTable.Col<Copy>
            label={<span className="vh">{t('backups.copies.actions')}</span>}
            render={(copy) => (
              <span className="act">
                <CopyActions copy={copy} now={now} isNewestFailed={copy === newestFailed} {...acts} />
              </span>
            )}
          />
        </DataTable>
      )}
    </SectionCard>
  );
}

/** Returns what proves that a copy can be restored: the last check of the storage, and the last restore test. */
function useProofs({ checked, tested }: Backups, rows: readonly Copy[], now: number): (copy: Copy) => ReactNode {
  const t = useText();
  const checkedCopy = checked?.ok === true ? newestBefore(rows, checked.at) : undefined;
  const testedCopy = tested?.ok === true ? newestBefore(rows, tested.at) : undefined;
  return (copy) => {
    const proofs = [
      ...(copy === checkedCopy && checked !== null ? [t('backups.copies.checked', { ago: ago(checked.at, now) })] : []),
      ...(copy === testedCopy ? [t('backups.copies.tested')] : []),
    ];
    return proofs.join(', ');
  };
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

function Taken({ copy, backups, now }: { copy: Copy; backups: Backups; now: number }) {
  const t = useText();
  const version = otherRelease(copy, backups);
  return (
    <span className="taken">
      <time dateTime={takenAt(copy)} title={exactInstant(takenAt(copy))}>
        <b>{capital(copyName(copy, now))}</b>
      </time>
      <span className="sub">{t(`backups.kinds.${copy.kind}`)}</span>
      {version === null ? null : <span className="sub">{t('backups.copies.version', { version })}</span>}
    </span>
  );
}

/** Size and duration of a copy with their names, for phones. */
function Measured({ copy }: { copy: Copy }) {
  const t = useText();
  const [size, time] = [sizeOf(copy), timeOf(copy)];
  if (size === null && time === null) return null;
  return (
    <>
      <CardLine label={t('backups.copies.size')}>{size}</CardLine>
      <CardLine label={t('backups.copies.duration')}>{time}</CardLine>
    </>
  );
}

const sizeOf = ({ state, bytes }: Copy): string | null =>
  state === 'complete' && bytes !== null ? byteSize(bytes) : null;

function timeOf(copy: Copy): string | null {
  const took = tookMs(copy);
  return copy.state === 'complete' && took !== null ? duration(took) : null;
}

/** Returns the reason why no backup can be requested now, in the page's language. */
export const refusedText = ({ backup_refused: refused }: Backups): string | null =>
  refused === null ? null : messageText(refused);
