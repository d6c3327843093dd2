import { useText } from '../../texts/console-i18n';
import { Instant } from '../../ui/instant';
import type { LeakAnswer } from '@moorage/contracts';

const TAGS: Readonly<Record<LeakAnswer['state'], string>> = {
  suspected: 'tag off',
  confirmed: 'tag brass',
  removing: 'tag sea',
  adopting: 'tag sea',
  kept: 'tag off',
  removed: 'tag off',
  adopted: 'tag off',
  gone: 'tag off',
};

/** Findings and decision about a leaked resource. */
export function LeakState({ leak: { state, confirmed_from: from, decision, failure } }: { leak: LeakAnswer }) {
  const t = useText();
  return (
    <>
      <span className={TAGS[state]}>{t(`leaks.state.${state}`)}</span>
      {from === null ? null : (
        <span className="block small soft">
          {t('leaks.next_check')} <Instant iso={from} />
        </span>
      )}
      {decision === null ? null : (
        <span className="block small soft anywhere">
          {t('leaks.decided', { by: decision.by, reason: decision.reason })}
        </span>
      )}
      {failure === null ? null : (
        <span className="block small bad anywhere">
          {t(`leaks.failure.${failure.reason}`)} {failure.words === null ? null : <q>{failure.words}</q>}
        </span>
      )}
    </>
  );
}
