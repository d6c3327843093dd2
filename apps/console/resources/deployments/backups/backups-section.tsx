import { Link } from 'react-router-dom';
import { type Backups, isUnderWay } from '../../../data/backups';
import { useText } from '../../../texts/console-i18n';
import { messageText } from '../../../texts/locale';
import { nearInstant, shortInstant } from '../../../ui/dates';
import { copyName, hasCopies, isLevelWithout, newestComplete } from './copy-messages';
import { Section } from '../section';
import { useNow } from '../../../data/use-now';
import './backups-section.css';

/** Section of the details with the result of the last backup and a link to all backups. */
export function BackupsSection({ id, isOver, backups }: { id: number; isOver: boolean; backups: Backups }) {
  const t = useText();
  const now = useNow();
  const { mode, kept_until: until, next_at: next, copies } = backups;
  // Once a deployment is over, only existing copies matter.
  if (isOver && !hasCopies(backups)) return null;
  const newest = newestComplete(copies);
  const last = copies.find(({ state }) => state !== 'removed');
  const lines: string[] = [];
  if (newest !== undefined) lines.push(t('backups.section.last', { at: copyName(newest, now) }));
  if (copies.some(isUnderWay)) lines.push(t('backups.section.running'));
  else if (last?.state === 'failed')
    lines.push([t('backups.section.failed'), last.failure === null ? '' : messageText(last.failure)].join(' ').trim());
  else if (newest === undefined && !isLevelWithout(backups) && mode !== 'off')
    lines.push(
      next === null ? t('backups.section.none') : t('backups.section.none_next', { at: nearInstant(next, now) }),
    );
  if (until !== null) lines.push(t('backups.section.kept', { date: shortInstant(until, now) }));
  if (isLevelWithout(backups)) lines.push(t('backups.notes.level'));
  else if (mode === 'off') lines.push(t('backups.notes.off'));
  else if (mode === 'simulated') lines.push(t('backups.notes.simulated'));
  return (
    <Section title={t('backups.title')}>
      {lines.map((line, at) => (
        <p key={line} className={at === 0 ? undefined : 'hint'}>
          {line}
        </p>
      ))}
      <p className="section-link">
        <Link to={`/deployments/${id}/backups`}>
          {t(isLevelWithout(backups) ? 'backups.section.level' : 'backups.section.all')}
        </Link>
      </p>
    </Section>
  );
}
