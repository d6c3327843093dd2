import type { ContainerAnswer, DeploymentLogsAnswer, LogLineAnswer } from '@moorage/contracts';
import { LOG_LINES_STORED, LOG_SEARCH_LENGTH_MIN } from '@moorage/domain';
import { useEffect, useState } from 'react';
import { api } from './api';
import { useRead } from './use-read';

export type LogLine = LogLineAnswer;
export type Container = ContainerAnswer;

/** Logs as they have been read so far. */
export interface Logs extends Pick<DeploymentLogsAnswer, 'state' | 'reason' | 'containers' | 'left_out'> {
  /** Oldest first. */
  readonly lines: readonly LogLine[];
  /** Number of lines that were read, including those that are no longer stored. */
  readonly received: number;
}

/** State between two reads. */
interface Reading extends Logs {
  readonly after: number;
  readonly since: string | null;
  /** Time up to which a new follow repeats lines. */
  readonly repeatsUntil: string;
}

const POLL_MS = 2_000;
export const EMPTY: Reading = {
  state: 'connecting',
  reason: null,
  containers: [],
  left_out: 0,
  lines: [],
  received: 0,
  after: 0,
  since: null,
  repeatsUntil: '',
};

/** Adds an answer. The lines of an earlier follow are discarded, because the new one sends them again. */
export function withAnswer(before: Reading, answer: DeploymentLogsAnswer): { next: Reading; isAgain: boolean } {
  const { lines, followed_since: since, state, reason, left_out } = answer;
  const containers = answer.containers.length === 0 ? before.containers : answer.containers;
  // The lines of a deployment that has ended stay visible.
  if (since === null) return { next: { ...before, state, reason }, isAgain: false };
  const isAgain = before.since !== null && before.since !== since;
  const all = isAgain ? [] : [...before.lines, ...lines];
  const after = isAgain ? 0 : (lines.at(-1)?.seq ?? before.after);
  const repeatsUntil = isAgain ? (before.lines.at(-1)?.at ?? '') : before.repeatsUntil;
  const received = before.received + (isAgain ? 0 : lines.filter(({ at }) => at > repeatsUntil).length);
  const stored = all.slice(-LOG_LINES_STORED);
  const next = { state, reason, containers, left_out, lines: stored, received, after, since, repeatsUntil };
  return { next, isAgain };
}

/**
 * Reads the logs of a deployment every two seconds while the page is visible. Returns undefined before the first answer,
 * and the error of the last request.
 */
export function useLogs(id: number): { logs: Logs | undefined; error: Error | null; retry: () => void } {
  const [attempt, setAttempt] = useState(0);
  const [shown, setShown] = useState<{ id: number; logs?: Logs; error: Error | null }>({ id, error: null });
  useEffect(() => {
    const ended = new AbortController();
    let reading = EMPTY;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isReading = false;
    const read = async (): Promise<void> => {
      clearTimeout(timer);
      if (isReading || ended.signal.aborted || document.visibilityState === 'hidden') return;
      isReading = true;
      let pause = POLL_MS;
      try {
        const query = { after: reading.after };
        const answer = await api('GET /deployments/{id}/logs', { params: { id }, query, signal: ended.signal });
        const { next, isAgain } = withAnswer(reading, answer);
        reading = next;
        if (answer.has_more || isAgain) pause = 0;
        setShown({ id, logs: next, error: null });
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown : new Error('unknown');
        if (!ended.signal.aborted) setShown(({ logs }) => ({ id, ...(logs === undefined ? {} : { logs }), error }));
      }
      isReading = false;
      if (!ended.signal.aborted) timer = setTimeout(() => void read(), pause);
    };
    const onVisible = (): void => void read();
    document.addEventListener('visibilitychange', onVisible);
    void read();
    return () => {
      ended.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [id, attempt]);
  const retry = (): void => setAttempt((before) => before + 1);
  return shown.id === id ? { logs: shown.logs, error: shown.error, retry } : { logs: undefined, error: null, retry };
}

/** Searches older lines on the server, once the text is long enough. */
export function useLogSearch(id: number, contains: string) {
  const isLong = contains.length >= LOG_SEARCH_LENGTH_MIN;
  return useRead(
    'deployments',
    'GET /deployments/{id}/logs/search',
    isLong ? { params: { id }, query: { contains } } : null,
    {
      refetchInterval: ({ state: { data } }) => (data?.state === 'searching' ? POLL_MS : false),
      staleTime: 30_000,
      retry: false,
    },
  );
}
