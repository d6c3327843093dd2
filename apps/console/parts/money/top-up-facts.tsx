import type { AutomaticTopUpAnswer } from '@moorage/contracts';
import { cardName } from '@moorage/domain';
import { type ReactNode, useState } from 'react';
import { useText } from '../../texts/console-i18n';
import { exactInstant, fullDay } from '../../ui/dates';
import { money } from '../../ui/money';
import { useReturnFocus } from '../../ui/use-return-focus';
import { RemoveCard } from './remove-card';
import { Button } from '../../ui/button';

export const cents = (amount: number): string => money(amount / 100, { rounding: 'price' });

/** Saved card, the conditions for charging it, and the last charge. */
export function TopUpFacts({ state, mayChange }: { state: AutomaticTopUpAnswer; mayChange: boolean }) {
  const t = useText();
  const [isRemoving, setRemoving] = useState(false);
  const opener = useReturnFocus(isRemoving);
  const { card, enabled, threshold, last } = state;
  const facts: [term: string, fact: ReactNode][] = [];
  if (card !== null) {
    const { exp_month: month, exp_year: year } = card;
    facts.push([
      t('automatic.card'),
      <>
        {cardName(card)}{' '}
        <span className="hint">{t('automatic.expires', { month: String(month).padStart(2, '0'), year })}</span>
        {mayChange ? (
          <Button ref={opener} kind="quiet" size="small" onClick={() => setRemoving(true)}>
            {t('automatic.remove')}
          </Button>
        ) : null}
        {isRemoving ? <RemoveCard card={cardName(card)} onClose={() => setRemoving(false)} /> : null}
      </>,
    ]);
  }
  if (enabled) {
    const when =
      threshold.kind === 'amount'
        ? t('automatic.below', { amount: money(threshold.amount, { rounding: 'price' }) })
        : t('automatic.days', { smart_count: threshold.days });
    facts.push([t('automatic.when'), when], [t('automatic.amount'), cents(state.amount_cents)]);
  }
  if (enabled || state.month_used_cents > 0) {
    const used = { used: cents(state.month_used_cents), cap: cents(state.month_cap_cents) };
    facts.push([t('automatic.month'), t('automatic.used', used)]);
  }
  if (last !== null)
    facts.push([
      t('automatic.last'),
      <span key="last" title={exactInstant(last.at)}>
        {t(`automatic.last_${last.status}`, { amount: cents(last.amount_cents), date: fullDay(last.at) })}
      </span>,
    ]);
  return facts.length === 0 ? null : (
    <dl className="kv">
      {facts.map(([term, fact]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{fact}</dd>
        </div>
      ))}
    </dl>
  );
}
