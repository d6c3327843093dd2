import Drawer from '@mui/material/Drawer';
import { ArrowLeft, ChevronUp, X } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../texts/console-i18n';
import { IconButton } from '../../ui/button';
import { dayFrom } from '../../ui/dates';
import { money } from '../../ui/money';
import { PriceCard } from './price/price-card';
import { useFromDaily } from './price/use-from-daily';
import type { Forward } from './use-forward';
import { useWizard } from './wizard-context';
import { ForwardButton, Why } from './wizard-nav';
import './wizard-dock.css';
import { useDraftEffect } from './use-draft-effect';

/** Navigation bar at the bottom of narrow screens with the price, Back and Next. The price expands its details. */
export function WizardDock({ forward }: { forward: Forward }) {
  const t = useText();
  const { wizard, steps, goBack } = useWizard();
  const [open, setOpen] = useState(false);
  return (
    <section className="dock" aria-label={t('wizard.nav.dock')}>
      {forward.whyNot === null ? null : <Why {...forward} />}
      <button type="button" className="dockprice grow" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <DockPrice />
      </button>
      {steps.indexOf(wizard.step) === 0 ? null : (
        <IconButton icon={ArrowLeft} className="square" label={t('wizard.nav.back')} onClick={goBack} />
      )}
      <ForwardButton {...forward} />
      <Drawer
        anchor="bottom"
        open={open}
        onClose={() => setOpen(false)}
        className="pricesheet"
        slotProps={{ paper: { role: 'dialog', 'aria-modal': true, 'aria-label': t('wizard.price.title') } }}
      >
        <IconButton icon={X} className="close" label={t('layout.close')} onClick={() => setOpen(false)} />
        <PriceCard review={wizard.step === 'review'} />
      </Drawer>
    </section>
  );
}

/** Daily price, and how long the balance lasts with it. */
function DockPrice() {
  const t = useText();
  const { shownPrice } = useWizard();
  const from = useFromDaily();
  const effect = useDraftEffect(shownPrice?.hourly_cost ?? null).data;
  const amount = (daily: number): string => money(daily, { rounding: 'price' });
  const price =
    shownPrice === null
      ? from === null
        ? null
        : t('wizard.price.from', { price: amount(from) })
      : amount(shownPrice.daily_cost);
  const short = effect !== undefined && effect.order_refusal !== null;
  return (
    <>
      <span>
        <b>{price ?? t('wizard.price.no_price')}</b>{' '}
        {price === null ? null : <span className="small muted">{t('wizard.a_day')}</span>}
      </span>
      <span className={short ? 'small short' : effect?.ends_at == null ? 'small sea' : 'small chart'}>
        {short
          ? t('wizard.price.too_low')
          : effect?.ends_at == null
            ? t('wizard.price.details')
            : t('wizard.price.until', { date: dayFrom(effect.now, effect.ends_at) })}
        <ChevronUp size={16} aria-hidden="true" />
      </span>
    </>
  );
}
