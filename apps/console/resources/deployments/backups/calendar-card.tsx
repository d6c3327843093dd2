import { Check, LoaderCircle, type LucideIcon, X } from 'lucide-react';
import { SectionCard } from '../../../ui/card';
import type { Copy } from '../../../data/backups';
import { useText } from '../../../texts/console-i18n';
import { messageText } from '../../../texts/locale';
import { dayName } from '../../../ui/dates';
import { CALENDAR_DAYS, calendarOf, type Day, type DayMark } from './calendar';
import './calendar-card.css';

const ICONS: Readonly<Partial<Record<DayMark, LucideIcon>>> = { taken: Check, failed: X, running: LoaderCircle };

/** A calendar of the last four weeks that marks the days with a copy. */
export function CalendarCard({ copies, now }: { copies: readonly Copy[]; now: number }) {
  const t = useText();
  return (
    <SectionCard id="calendar" title={t('backups.calendar.title', { days: CALENDAR_DAYS })}>
      <div className="pad">
        <ol className="backup-days" aria-label={t('backups.calendar.label')}>
          {calendarOf(copies, now).map((day, at) => (
            <DayCell key={day.date} day={day} isFirst={at === 0} />
          ))}
        </ol>
        <p className="backup-legend small soft" aria-hidden="true">
          <span className="taken">
            <Check size={16} />
            {t('backups.calendar.legend_backed_up')}
          </span>
          <span className="failed">
            <X size={16} />
            {t('backups.calendar.legend_failed')}
          </span>
        </p>
      </div>
    </SectionCard>
  );
}

function DayCell({ day: { date, mark, failed, isToday }, isFirst }: { day: Day; isFirst: boolean }) {
  const t = useText();
  const Icon = ICONS[mark];
  const reason = failed?.failure == null ? null : messageText(failed.failure);
  const words = t(isToday ? 'backups.calendar.today' : 'backups.calendar.day', {
    day: dayName(date),
    mark: reason === null ? t(`backups.calendar.${mark}`) : t('backups.calendar.failed_because', { reason }),
  });
  const dayOfMonth = Number(date.slice(8));
  return (
    <li className={isToday ? `${mark} today` : mark} title={words}>
      <span aria-hidden="true">
        {isFirst || dayOfMonth === 1 ? dayName(date).split(' ').slice(1).join(' ') : dayOfMonth}
      </span>
      {Icon === undefined ? null : (
        <Icon size={16} className={mark === 'running' ? 'spin' : undefined} aria-hidden="true" />
      )}
      <span className="vh">{words}</span>
    </li>
  );
}
