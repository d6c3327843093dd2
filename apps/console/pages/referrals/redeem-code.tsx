import { useState } from 'react';
import { useRedeemCode } from '../../data/referrals';
import { useToast } from '../../ui/use-toast';
import { SectionCard } from '../../ui/card';
import { useText } from '../../texts/console-i18n';
import { Field, FormError } from '../../ui/form/field';
import { RequestCreditsButton } from '../../parts/free-credits/request-credits';
import { offeredMoney } from '../../ui/money';
import { useForm } from '../../ui/form/use-form';
import { Button } from '../../ui/button';

/** Form to redeem an emailed code for free credits with an existing account. */
export function RedeemCode() {
  const t = useText();
  const [done, setDone] = useState(0);
  return (
    <SectionCard id="code" title={t('referrals.redeem.title')}>
      <RedeemForm key={done} onDone={() => setDone(done + 1)} />
    </SectionCard>
  );
}

function RedeemForm({ onDone }: { onDone: () => void }) {
  const t = useText();
  const toast = useToast();
  const redeem = useRedeemCode();
  const form = useForm({
    initial: { code: '' },
    checks: { code: ({ code }) => (code.trim() === '' ? t('referrals.redeem.missing') : null) },
    failed: 'form.failed',
    retryAt: 'code',
    async submit({ code }) {
      const { amount, display_currency: currency } = await redeem.mutateAsync(code.trim());
      toast(t('referrals.redeem.done', { amount: offeredMoney(amount, currency) }));
      onDone();
      return null;
    },
  });
  return (
    <form className="pad" noValidate onSubmit={form.onSubmit}>
      <p className="soft">{t('referrals.redeem.lead')}</p>
      <FormError text={form.refusal} />
      <Field label={t('referrals.redeem.label')} autoComplete="off" field={form.field('code')} />
      <Button type="submit" busy={form.busy}>
        {form.busy ? t('referrals.redeem.busy') : t('referrals.redeem.submit')}
      </Button>
      <p className="small muted">
        {t('referrals.redeem.none')} <RequestCreditsButton kind="text" size="small" />
      </p>
    </form>
  );
}
