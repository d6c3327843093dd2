import { useState } from 'react';
import { useAction } from '../../data/use-action';
import { RequestCreditsButton } from '../../parts/free-credits/request-credits';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { SectionCard } from '../../ui/card';
import { Form, SubmitError } from '../../ui/form/form';
import { TextInput } from '../../ui/form/inputs';
import { offeredMoney } from '../../ui/money';

/** Redeems an emailed code for free credits with an existing account, or requests one. */
export function RedeemCode() {
  const t = useText();
  const [redeemed, setRedeemed] = useState(0);
  return (
    <SectionCard id="code" title={t('referrals.redeem.title')}>
      <div className="pad">
        <p className="soft">{t('referrals.redeem.lead')}</p>
        <RedeemForm key={redeemed} onDone={() => setRedeemed(redeemed + 1)} />
        <p className="small muted">
          {t('referrals.redeem.none')} <RequestCreditsButton kind="text" size="small" />
        </p>
      </div>
    </SectionCard>
  );
}

const EMPTY = { code: '' };

function RedeemForm({ onDone }: { onDone: () => void }) {
  const t = useText();
  const redeem = useAction('own-referrals', 'redeemCode', {
    done: ({ amount, display_currency: currency }) =>
      t('referrals.redeem.done', { amount: offeredMoney(amount, currency) }),
  });
  const submit = async ({ code }: typeof EMPTY): Promise<void> => {
    await redeem.mutateAsync({ body: { code: code.trim() } });
    onDone();
  };
  return (
    <Form className="redeem-code" defaultValues={EMPTY} onSubmit={submit}>
      <SubmitError />
      <TextInput
        source="code"
        label={t('referrals.redeem.label')}
        validate={(code) => (code.trim() === '' ? t('referrals.redeem.missing') : null)}
      />
      <Button type="submit" busy={redeem.isPending}>
        {redeem.isPending ? t('referrals.redeem.busy') : t('referrals.redeem.submit')}
      </Button>
    </Form>
  );
}
