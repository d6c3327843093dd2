import { configurableEnv } from '@moorage/domain';
import { useText } from '../../texts/console-i18n';
import type { GroupName } from './config-fields';
import { useEnvLabel } from '../../parts/order/env-label';
import { useWizard } from './wizard-context';

/** Returns the purpose of a group. For the administrator group it explains which credentials are used to log in. */
export function useGroupPurpose(): (group: GroupName) => string {
  const t = useText();
  const label = useEnvLabel();
  const { config } = useWizard();
  const labels = { username: label('ADMIN_USERNAME'), password: label('ADMIN_PASSWORD'), email: label('EMAIL') };
  const requested = config === null ? [] : configurableEnv(config);
  const mayBeEmpty = (env: string): boolean => requested.some(({ name, required }) => name === env && !required);
  const whoSignsIn = (): string => {
    switch (config?.admin_name) {
      case 'email':
        return t(
          mayBeEmpty('ADMIN_USERNAME') ? 'wizard.config.admin_email_optional' : 'wizard.config.admin_email',
          labels,
        );
      case 'display_name':
        return t('wizard.config.admin_display_name', labels);
      case undefined:
        return '';
    }
  };
  return (group) =>
    group === 'admin'
      ? `${whoSignsIn()} ${mayBeEmpty('ADMIN_PASSWORD') ? t('wizard.config.admin_password', labels) : ''}`.trim()
      : t(`wizard.config.${group}`, labels);
}
