import Tooltip from '@mui/material/Tooltip';
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { type Incident, type Incidents, useIncidents } from '../../../data/watch';
import { useText } from '../../../texts/console-i18n';
import { Loaded } from '../../../ui/card';
import { clockTime, dayName, duration, nearInstant } from '../../../ui/dates';
import { wordList } from '../../../ui/list-format';
import { MessageText } from '../../../ui/message-text';
import { useNow } from '../../../data/use-now';
import { IncidentButton } from '../incidents/incident-button';
import { Section } from '../section';
import type { Details } from '../use-details';
import { reachableText } from './figures';

/** Reachability by day, the open incidents with their remedies, and those of the last 30 days. */
export function IncidentsCard({
  details,
  incidents,
}: {
  details: Details;
  incidents: ReturnType<typeof useIncidents>;
}) {
  const t = useText();
  const now = useNow();
  const percent = incidents.data?.reachable_percent ?? null;
  return (
    <Section
      className="incidents"
      title={t('incidents.title')}
      note={percent === null ? null : reachableNote(t, percent, incidents.data?.days ?? [])}
      isPadded={false}
    >
      <Loaded query={incidents} failed={t('incidents.failed')}>
        {({ days, incidents: all }) => (
          <>
            <div className="pad">
              <Days days={days} />
            </div>
            {all.length === 0 ? (
              <p className="pad soft row none">
                <CircleCheck size={16} aria-hidden="true" className="good" />
                {t('incidents.none')}
              </p>
            ) : (
              <ul className="incident-feed" aria-label={t('incidents.title')}>
                {all.map((incident) => (
                  <Line key={incident.id} incident={incident} details={details} now={now} />
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** States the reachability in 30 days, or since the first check if that is later. */
function reachableNote(t: ReturnType<typeof useText>, share: number, days: Incidents['days']): string {
  const percent = reachableText(share);
  const first = days.findIndex(({ state }) => state !== 'none');
  const date = first > 0 ? days[first]?.date : undefined;
  return date === undefined
    ? t('incidents.reachable', { percent })
    : t('incidents.reachable_since', { percent, day: dayName(date) });
}

/** Bar with a part for each day, described in one sentence. */
function Days({ days }: { days: Incidents['days'] }) {
  const t = useText();
  const checked = days.filter(({ state }) => state !== 'none');
  const named = (wanted: 'down' | 'trouble'): string | null => {
    const found = checked.filter(({ state }) => state === wanted).map(({ date }) => dayName(date));
    return found.length === 0 ? null : t(`incidents.days_${wanted}`, { days: wordList(found) });
  };
  const sentence =
    checked.length === 0
      ? t('incidents.days_none')
      : [
          t('incidents.days', {
            good: checked.filter(({ state }) => state === 'good').length,
            checked: checked.length,
          }),
          named('down'),
          named('trouble'),
        ]
          .filter((part) => part !== null)
          .join(' ');
  return (
    <div className="uptime" role="img" aria-label={sentence}>
      {days.map((day) => (
        <Tooltip key={day.date} title={<DayText day={day} />} enterTouchDelay={0} describeChild>
          <span className={`day-${day.state}`} />
        </Tooltip>
      ))}
    </div>
  );
}

function DayText({ day: { date, state, reachable_percent: percent } }: { day: Incidents['days'][number] }) {
  const t = useText();
  const day = dayName(date);
  return state === 'down' && percent !== null
    ? t('incidents.day.down_percent', { day, percent: reachableText(percent) })
    : t(`incidents.day.${state}`, { day });
}

function Line({ incident, details, now }: { incident: Incident; details: Details; now: number }) {
  const t = useText();
  const { severity, message, remedy, ended_at: endedAt, returned, is_explained: isExplained } = incident;
  const isOpen = endedAt === null;
  const Icon = severity === 'alarm' ? CircleAlert : TriangleAlert;
  return (
    <li className={isOpen ? severity : 'ended'}>
      <Icon size={16} aria-hidden="true" />
      <div className="grow">
        <p className="anywhere">
          <b>
            <MessageText message={message} />
          </b>
        </p>
        {isOpen ? (
          <p className="soft anywhere">{isExplained ? t('incidents.explained') : <MessageText message={remedy} />}</p>
        ) : null}
        <p className="small muted">
          <Times incident={incident} now={now} />{' '}
          {returned === 0 ? null : t('incidents.returned', { smart_count: returned })}
        </p>
      </div>
      {isOpen ? (
        isExplained ? null : (
          <IncidentButton incident={incident} details={details} />
        )
      ) : (
        <span className="tag">{t('incidents.ended')}</span>
      )}
    </li>
  );
}

/** Beginning, end and duration. The day of the end is shown if it differs. */
function Times({ incident: { began_at: began, ended_at: ended }, now }: { incident: Incident; now: number }) {
  const t = useText();
  const time = duration((ended === null ? now : Date.parse(ended)) - Date.parse(began));
  if (ended === null) return t('incidents.since', { at: nearInstant(began, now), time });
  const isSameDay = began.slice(0, 10) === ended.slice(0, 10);
  return t('incidents.lasted', {
    from: nearInstant(began, now),
    to: isSameDay ? clockTime(ended) : nearInstant(ended, now),
    time,
  });
}
