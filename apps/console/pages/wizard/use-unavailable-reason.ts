import { missingEnv, splitTypeName } from '@moorage/domain';
import { useText } from '../../texts/console-i18n';
import { useEnvLabel } from '../../parts/order/env-label';
import { isNextOn, useWizard } from './wizard-context';
import { useChosen } from './use-chosen';

/** Returns the reason why Next is disabled, or null. Create on the last step has additional reasons. */
export function useUnavailableReason(): string | null {
  const t = useText();
  const label = useEnvLabel();
  const wizard = useWizard();
  const { size, package: chosenPackage } = useChosen();
  const {
    config,
    wizard: { step, draft, vps },
  } = wizard;

  if (size?.unfit === true && (step === 'instance' || step === 'review'))
    return t('wizard.why.unfit', { name: size.display_name, package: chosenPackage ?? '' });
  if (size?.available === false && (step === 'instance' || step === 'review'))
    return t('wizard.why.sold_out', { name: splitTypeName(size.display_name).name });
  if (isNextOn(wizard)) return null;
  switch (step) {
    case 'package':
      return t('wizard.why.package');
    case 'server': {
      if (draft.server_type === null) return t('wizard.why.server');
      if (vps.state === 'validating') return t('wizard.why.validating');
      return (draft.vps_ip_address ?? '').trim() === '' ? t('wizard.why.address') : t('wizard.why.validate');
    }
    case 'cloud':
      return t('wizard.why.cloud');
    case 'region':
      return t('wizard.why.region');
    case 'instance':
      return t('wizard.why.instance');
    case 'config':
      return config === null
        ? t('wizard.why.loading')
        : t('wizard.why.config', { names: missingEnv(draft, config).map(label).join(', ') });
    case 'support':
      return null;
    case 'review': {
      const missing = config === null ? [] : missingEnv(draft, config);
      if (missing.length > 0) return t('wizard.why.config', { names: missing.map(label).join(', ') });
      return wizard.wizard.pricing === null ? t('wizard.why.pricing') : t('wizard.why.incomplete');
    }
  }
}
