import type { CloudProviderAnswer } from '@moorage/contracts';
import { Info } from 'lucide-react';
import { useText } from '../../texts/console-i18n';
import { exactInstant } from '../../ui/dates';
import { useChosen } from './use-chosen';
import { useWizard } from './wizard-context';

/** States since when a live provider has not returned its own prices. */
export function oldPricesText(
  { display_name: provider, priced_at }: Pick<CloudProviderAnswer, 'display_name' | 'priced_at'>,
  t: ReturnType<typeof useText>,
): string {
  return priced_at === null
    ? t('wizard.cloud.built_in_ever', { provider })
    : t('wizard.cloud.built_in', { provider, date: exactInstant(priced_at) });
}

/** Warns that the chosen live provider's prices are not its current ones. */
export function OldPrices() {
  const t = useText();
  const {
    wizard: { draft },
  } = useWizard();
  const { provider } = useChosen();
  if (draft.server_type !== 'new' || provider === null) return null;
  if (provider.simulated || provider.prices === 'live') return null;
  return (
    <p className="note">
      <Info size={16} aria-hidden="true" />
      <span>{oldPricesText(provider, t)}</span>
    </p>
  );
}
