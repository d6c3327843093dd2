import type { LogSearchAnswer } from '@moorage/contracts';
import { Pause, Play, X } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import type { LogLine, Logs } from '../../../data/logs';
import { errorText } from '../../../data/problem-message';
import { useText } from '../../../texts/console-i18n';
import { messageText } from '../../../texts/locale';
import { Button } from '../../../ui/button';
import { exactInstant } from '../../../ui/dates';
import { FilterTabs } from '../../../ui/list/filter-tabs';
import { SearchField } from '../../../ui/list/search-field';
import { type LineChoice, SHOWN_LEVELS, type shownLines } from './shown-lines';

interface LogCardProps {
  readonly logs: Logs;
  /** Error of the last request. Lines that were read before stay. */
  readonly error: Error | null;
  readonly shown: ReturnType<typeof shownLines>;
  readonly choice: LineChoice;
  readonly onChoose: (change: Partial<LineChoice>) => void;
  readonly isPaused: boolean;
  /** Number of lines received since the pause. */
  readonly waiting: number;
  readonly onPause: (isPaused: boolean) => void;
  readonly search: LogSearchAnswer | undefined;
  readonly searchError: Error | null;
}

/** Lines of the log with their search, level and pause. */
export function LogCard(props: LogCardProps) {
  const t = useText();
  const { logs, choice, shown, isPaused, onChoose, onPause } = props;
  return (
    <section className="card log-card" aria-label={t('logs.title')}>
      <div className="log-tools">
        <SearchField label={t('logs.search')} wide value={choice.text} onChange={(text) => onChoose({ text })} />
        <FilterTabs
          label={t('logs.level')}
          tabs={SHOWN_LEVELS.map((value) =>
            value === 'all'
              ? { value, label: t('logs.levels.all') }
              : { value, label: t(`logs.levels.${value}`), count: shown.counts[value] },
          )}
          chosen={choice.level}
          onChoose={(level) => onChoose({ level })}
        />
        <Button
          icon={isPaused ? Play : Pause}
          disabled={!isPaused && logs.lines.length === 0}
          onClick={() => onPause(!isPaused)}
        >
          {t(isPaused ? 'logs.resume' : 'logs.pause')}
        </Button>
      </div>
      {choice.container === null ? null : (
        <p className="log-only small">
          {t('logs.only', { container: choice.container })}{' '}
          <Button kind="text" size="small" icon={X} onClick={() => onChoose({ container: null })}>
            {t('logs.all_containers')}
          </Button>
        </p>
      )}
      <Lines {...props} />
      <Footer {...props} />
    </section>
  );
}

/** Distance from the end in pixels within which the newest line counts as visible. */
const END_PX = 32;

function Lines({ logs, shown: { older, loaded }, choice, isPaused, onPause }: LogCardProps) {
  const t = useText();
  const list = useRef<HTMLOListElement>(null);
  const scrolledTo = useRef(0);
  const newest = loaded.at(-1)?.seq;
  useEffect(() => {
    if (isPaused || list.current === null) return;
    list.current.scrollTop = list.current.scrollHeight;
    scrolledTo.current = list.current.scrollTop;
  }, [isPaused, newest, loaded.length, older.length, choice]);
  const onScroll = (): void => {
    if (list.current === null) return;
    const { scrollTop, scrollHeight, clientHeight } = list.current;
    const isUp = scrollTop < scrolledTo.current && scrollHeight - scrollTop - clientHeight > END_PX;
    scrolledTo.current = scrollTop;
    if (isUp && !isPaused) onPause(true);
  };
  if (older.length + loaded.length === 0) return <Nothing logs={logs} />;
  return (
    // Focusable, so that it can be scrolled with the keyboard.
    <ol className="log" ref={list} tabIndex={0} aria-label={t('logs.lines')} onScroll={onScroll}>
      {older.map((line) => (
        <Line key={`older ${line.seq}`} line={line} hasDay />
      ))}
      {older.length === 0 ? null : <li className="between">{t('logs.older_above')}</li>}
      {loaded.map((line) => (
        <Line key={line.seq} line={line} hasDay={false} />
      ))}
    </ol>
  );
}

const Line = memo(function Line({ line: { at, container, level, text }, hasDay }: { line: LogLine; hasDay: boolean }) {
  const t = useText();
  return (
    <li className={level}>
      <time dateTime={at} title={exactInstant(at)}>
        {hasDay ? `${at.slice(5, 10)} ` : ''}
        {at.slice(11, 19)}
      </time>
      <span className="c" title={container}>
        {container}
      </span>
      <span className="lv">{level === 'none' ? '' : t(`logs.level_of.${level}`)}</span>
      <span className="m">{text}</span>
    </li>
  );
});

/** States why there is no line. */
function Nothing({ logs: { state, reason, lines } }: { logs: Logs }) {
  const t = useText();
  const title =
    state === 'over'
      ? t('logs.over')
      : state === 'unreachable'
        ? t('logs.unreachable')
        : state === 'connecting'
          ? t('logs.connecting')
          : lines.length > 0
            ? t('logs.no_match')
            : t('logs.none');
  const hint =
    state === 'over'
      ? t('logs.over_hint')
      : state === 'unreachable'
        ? t('logs.unreachable_hint')
        : state === 'connecting' || lines.length === 0
          ? null
          : t('logs.no_match_hint');
  return (
    <div className="log-nothing" role="status">
      <b>{title}</b>
      {reason !== null && state !== 'over' ? <p className="muted">{messageText(reason)}</p> : null}
      {hint === null ? null : <p className="muted">{hint}</p>}
    </div>
  );
}

function Footer({ logs, error, isPaused, waiting, onPause, search, searchError, shown, choice }: LogCardProps) {
  const t = useText();
  const { state, reason, left_out: leftOut } = logs;
  const isLive = !isPaused && error === null && state === 'following';
  const stateText =
    error !== null
      ? t('logs.offline', { reason: errorText(error) })
      : state === 'over'
        ? t('logs.state.over')
        : state === 'unreachable'
          ? `${t('logs.state.unreachable')} ${reason === null ? '' : messageText(reason)}`.trim()
          : isPaused
            ? waiting === 0
              ? t('logs.state.paused')
              : t('logs.state.waiting', { smart_count: waiting })
            : t(`logs.state.${state}`);
  /** The server searches for the text only, so lines that it left out may have another level or container. */
  const isNarrowed = choice.level !== 'all' || choice.container !== null;
  const searchText =
    searchError !== null || search?.state === 'failed'
      ? t('logs.search_failed')
      : search?.state === 'searching'
        ? t('logs.searching')
        : search?.state === 'done' && search.left_out > 0
          ? t(isNarrowed ? 'logs.unchecked_older' : 'logs.more_older', { smart_count: search.left_out })
          : search?.state === 'done' && shown.older.length === 0
            ? t('logs.no_older')
            : null;
  return (
    <footer className="log-foot small muted">
      <span className={isLive ? 'live-dot' : 'live-dot off'} aria-hidden="true" />
      <span className="grow" role="status">
        {stateText} {searchText} {leftOut === 0 ? null : t('logs.left_out', { smart_count: leftOut })}
      </span>
      {isPaused ? (
        <Button kind="text" onClick={() => onPause(false)}>
          {t('logs.newest')}
        </Button>
      ) : null}
    </footer>
  );
}
