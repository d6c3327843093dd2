import type { Price } from '@moorage/contracts';
import { useText } from '../../../texts/console-i18n';
import { money } from '../../../ui/money';
import { OWN_SERVER_DAILY } from '../own-server-price';
import { useChosen } from '../use-chosen';
import { useWizard } from '../wizard-context';

const price = (amount: number): string => money(amount, { rounding: 'price' });

/** Parts of the daily price: package, server and support level. */
export function PriceLines({ pricing }: { pricing: Price | null }) {
  const t = useText();
  const { package: name } = useChosen();
  return (
    <>
      <Line what={name ?? t('wizard.steps.package')} quiet={name !== null}>
        {name === null ? t('wizard.price.choose_next') : t('wizard.price.included')}
      </Line>
      <ServerLine pricing={pricing} />
      <SupportLine pricing={pricing} />
    </>
  );
}

function ServerLine({ pricing }: { pricing: Price | null }) {
  const t = useText();
  const { wizard } = useWizard();
  const { provider, size } = useChosen();
  const { server_type: type, cloud_provider: cloud } = wizard.draft;
  if (type === 'vps') {
    const fee = pricing?.breakdown.byovps_management_fee ?? OWN_SERVER_DAILY;
    return <Line what={t('wizard.price.own_fee')}>{price(fee)}</Line>;
  }
  if (pricing !== null && size !== null)
    return (
      <Line what={`${size.display_name}, ${provider?.display_name ?? ''}`}>
        {price(pricing.breakdown.instance_cost)}
      </Line>
    );
  const open = wizard.step === 'package' ? t('wizard.price.choose_next') : '\u00a0';
  return (
    <Line
      quiet
      what={
        cloud === null
          ? t('wizard.price.server')
          : t('wizard.price.server_at', { provider: provider?.display_name ?? cloud })
      }
    >
      {type === null ? open : t('wizard.price.choose_size')}
    </Line>
  );
}

function SupportLine({ pricing }: { pricing: Price | null }) {
  const t = useText();
  const { wizard, steps } = useWizard();
  const isSeen = steps.indexOf(wizard.step) >= steps.indexOf('support');
  if (!isSeen || pricing === null) {
    return (
      <Line what={t('wizard.price.support')} quiet>
        {t('wizard.price.choose_later')}
      </Line>
    );
  }
  const cost = pricing.breakdown.support_cost;
  return (
    <Line what={t(`wizard.support.level${wizard.draft.support_level}`)} quiet={cost === 0}>
      {cost === 0 ? t('wizard.price.included') : price(cost)}
    </Line>
  );
}

function Line({ what, quiet = false, children }: { what: string; quiet?: boolean; children: string }) {
  return (
    <div>
      <span>{what}</span>
      <span className={quiet ? 'nowrap muted' : 'nowrap'}>{children}</span>
    </div>
  );
}
