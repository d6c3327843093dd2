import Tooltip from '@mui/material/Tooltip';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { Metrics } from '../../../data/watch';
import { useText } from '../../../texts/console-i18n';
import { clockTime, dayName } from '../../../ui/dates';

type Mark = Metrics['marks'][number];

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/**
 * Dashed lines for the events of the period, with their name on hover and focus. The lines of a chart are one stop of
 * the Tab key. Arrow keys go to the next line.
 */
export function Marks({ marks, from, to }: { marks: readonly Mark[]; from: number; to: number }) {
  const t = useText();
  const list = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState(0);
  const shown = marks.filter(({ at }) => Date.parse(at) >= from && Date.parse(at) <= to);
  if (shown.length === 0) return null;
  const stop = Math.min(current, shown.length - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = stop + (STEPS[event.key] ?? 0);
    if (next === stop || next < 0 || next >= shown.length) return;
    event.preventDefault();
    setCurrent(next);
    list.current?.querySelectorAll<HTMLElement>('.event-mark')[next]?.focus();
  };
  return (
    <ul className="marks" ref={list} aria-label={t('metrics.events')} onKeyDown={onKeyDown}>
      {shown.map((mark, index) => (
        <li
          key={`${mark.what} ${mark.at}`}
          style={{ left: `${((Date.parse(mark.at) - from) / Math.max(1, to - from)) * 100}%` }}
        >
          <Mark mark={mark} isStop={index === stop} onFocus={() => setCurrent(index)} />
        </li>
      ))}
    </ul>
  );
}

function Mark({
  mark: { what, at, ended_at: endedAt, succeeded },
  isStop,
  onFocus,
}: {
  mark: Mark;
  isStop: boolean;
  onFocus: () => void;
}) {
  const t = useText();
  const result = endedAt === null ? 'running' : succeeded === false ? 'failed' : 'at';
  const name = t(`metrics.event_${result}`, {
    what: t(`metrics.event.${what}`),
    at: `${dayName(at)}, ${clockTime(at)} UTC`,
  });
  return (
    <Tooltip title={name} enterTouchDelay={0} placement="top">
      <span
        className={result === 'failed' ? 'event-mark failed' : 'event-mark'}
        role="img"
        tabIndex={isStop ? 0 : -1}
        onFocus={onFocus}
      />
    </Tooltip>
  );
}
