import { useText } from '../../texts/console-i18n';
import { money } from '../../ui/money';

/** Amounts according to the provider and to our ledger. */
export function Amounts({ theirs, ours }: { theirs: number | null; ours: number | null }) {
  const t = useText();
  const of = (amount: number | null): string =>
    amount === null ? t('payments.differences.nothing') : money(amount, { rounding: 'price' });
  return t('payments.differences.amounts', { theirs: of(theirs), ours: of(ours) });
}
