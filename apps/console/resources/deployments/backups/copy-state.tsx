import { CircleCheck, CircleDashed, LoaderCircle, OctagonX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Copy } from '../../../data/backups';
import { useText } from '../../../texts/console-i18n';
import { byteSize } from '../../../ui/bytes';
import { nearInstant } from '../../../ui/dates';
import { MessageText } from '../../../ui/message-text';

/** State of a copy, with its progress, its failure or what proves it. */
export function CopyState({ copy, now, proof }: { copy: Copy; now: number; proof: ReactNode }) {
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
