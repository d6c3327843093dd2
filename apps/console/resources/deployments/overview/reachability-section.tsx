import type { ReachabilityAnswer } from '@moorage/contracts';
import { CircleHelp, type LucideIcon, Radio, WifiOff } from 'lucide-react';
import { useServerNow } from '../../../data/server-now';
import { useText } from '../../../texts/console-i18n';
import { ago, duration, shortInstant } from '../../../ui/dates';
import { Section, useIsCard } from '../section';
import type { Details } from '../use-details';
import './reachability-section.css';

type State = ReachabilityAnswer['state'];

const SIGNS: Readonly<Record<State, { readonly icon: LucideIcon; readonly tone: 'good' | 'off' | 'fail' }>> = {
  reachable: { icon: Radio, tone: 'good' },
  unreachable: { icon: WifiOff, tone: 'fail' },
  unknown: { icon: CircleHelp, tone: 'off' },
};
const OUTAGES_SHOWN = 3;

/** Basic monitoring: whether the deployment responds at its address. The page also lists past outages. */
export function ReachabilitySection({ details: { deployment, progress, runs } }: { details: Details }) {
  const t = useText();
  const isCard = useIsCard();
  const now = useServerNow(progress.data?.now, progress.dataUpdatedAt);
  const { reachability } = deployment;
  if (reachability == null || !runs || progress.data === undefined) return null;
  const { state, since, checked_at, outages } = reachability;
  const { icon: Icon, tone } = SIGNS[state];
  const over = outages.flatMap(({ from, to }) => (to === null ? [] : [{ from, to }])).slice(0, OUTAGES_SHOWN);
  return (
    <Section className="reachability" title={t('deployments.reachability.title')}>
      <p className="row wrap">
        <span className={`st ${tone}`}>
          <Icon size={16} aria-hidden="true" />
          <span>
            {t(`deployments.reachability.state.${state}`, { date: since === null ? '' : shortInstant(since, now) })}
          </span>
        </span>
        {checked_at === null || state === 'unknown' ? null : (
          <span className="small muted">{t('deployments.reachability.checked', { ago: ago(checked_at, now) })}</span>
        )}
      </p>
      {state === 'unreachable' ? <p className="hint">{t('deployments.reachability.advice')}</p> : null}
      {!isCard || over.length === 0 ? null : (
        <>
          <h4 className="small soft">{t('deployments.reachability.outages')}</h4>
          <ul className="small">
            {over.map(({ from, to }) => (
              <li key={from}>
                {shortInstant(from, now)}{' '}
                <span className="muted">
                  {t('deployments.reachability.lasted', { time: duration(Date.parse(to) - Date.parse(from)) })}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}
