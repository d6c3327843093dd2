import type { AutomaticTopUpAnswer } from '@moorage/contracts';
import { cardName } from '@moorage/domain';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { TopUpFacts } from '../../parts/money/top-up-facts';
import { Loaded } from '../../ui/card';
import { useAutomaticTopUp, useRunway } from '../../data/billing';
import { useAction } from '../../data/use-action';
import { useCanChange } from '../../data/session';
import { useText } from '../../texts/console-i18n';
import { errorText } from '../../data/problem-message';
import { AutomaticTopUpForm } from './automatic-top-up-form';
import { Button } from '../../ui/button';
import { TopUpOutlook } from './top-up-outlook';
import './automatic-top-up-card.css';

/**
 * Card that shows whether, when and for how much the saved card is charged automatically. Read-only during
 * impersonation.
 */
export function AutomaticTopUpCard() {
  const t = useText();
  const topUp = useAutomaticTopUp();
  const isOn = topUp.data?.enabled;
  return (
    <section className="card automatic" id="automatic" aria-labelledby="automatic-title">
      <header>
        <h2 id="automatic-title">{t('automatic.title')}</h2>
        {isOn === undefined ? null : (
          <span className={isOn ? 'tag star' : 'tag off'}>{t(isOn ? 'automatic.on' : 'automatic.off')}</span>
        )}
      </header>
      <Loaded query={topUp} failed={t('automatic.failed')}>
        {(state) => <State state={state} />}
      </Loaded>
    </section>
  );
}

function State({ state }: { state: AutomaticTopUpAnswer }) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const { card, enabled, off_reason: offReason } = state;
  const mayChange = useCanChange();
  const runway = useRunway().data;
  return (
    <div className="pad stack">
      {offReason === null ? null : (
        <div className="note brass" role="status">
          <TriangleAlert size={16} aria-hidden="true" />
          <p className="grow">{t(`automatic.stopped.${offReason}`)}</p>
        </div>
      )}
      {enabled ? null : <p className="soft">{t('automatic.lead')}</p>}
      {card === null ? (
        <p className="soft">
          {t('automatic.no_card')} {mayChange ? <Link to="/billing#add">{t('automatic.add')}</Link> : null}
        </p>
      ) : null}
      <TopUpFacts state={state} mayChange={mayChange} />
      {!enabled || isOpen || runway === undefined ? null : (
        <TopUpOutlook settings={state} usedCents={state.month_used_cents} runway={runway} />
      )}
      {!mayChange || card === null ? null : isOpen ? (
        <AutomaticTopUpForm state={state} card={cardName(card)} onClose={() => setOpen(false)} />
      ) : (
        <Actions state={state} onOpen={() => setOpen(true)} />
      )}
    </div>
  );
}

function Actions({ state, onOpen }: { state: AutomaticTopUpAnswer; onOpen: () => void }) {
  const t = useText();
  const set = useAction('billing', 'setAutomaticTopUp', { done: t('automatic.is_off'), failed: errorText });
  const { enabled, threshold, amount_cents, month_cap_cents } = state;
  const turnOff = (): void => set.mutate({ body: { enabled: false, threshold, amount_cents, month_cap_cents } });
  if (!enabled)
    return (
      <div>
        <Button onClick={onOpen}>{t('automatic.turn_on')}</Button>
      </div>
    );
  return (
    <div className="row wrap">
      <Button onClick={onOpen}>{t('automatic.change')}</Button>
      <Button kind="danger" busy={set.isPending} onClick={turnOff}>
        {set.isPending ? t('automatic.turning_off') : t('automatic.turn_off')}
      </Button>
    </div>
  );
}
