import { useSearchParams } from 'react-router-dom';
import { useConsoleSettings } from '../../data/brand';
import { requestedFunds } from '../../data/checkout';
import { useText } from '../../texts/console-i18n';
import { AddFundsForm } from './add-funds-form';

/** Card with the top-up form. */
export function AddFunds({ isPlaced }: { isPlaced: boolean }) {
  const t = useText();
  const { payments } = useConsoleSettings();
  const [query] = useSearchParams();
  const requested = requestedFunds(query);
  return (
    <section className="card" id="add" aria-labelledby="add-funds">
      <header>
        <h2 id="add-funds">{t('billing.add.title')}</h2>
        {payments === 'test' ? <span className="tag brass">{t('billing.add.test_tag')}</span> : null}
      </header>
      {/* Another link to the form resets it. Paging through transactions does not. */}
      <AddFundsForm key={JSON.stringify(requested)} requested={requested} isPlaced={isPlaced} />
    </section>
  );
}
