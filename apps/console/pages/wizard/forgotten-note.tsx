import { configurableEnv, ENV_VARIABLES } from '@moorage/domain';
import { KeyRound } from 'lucide-react';
import { useText } from '../../texts/console-i18n';
import { useEnvLabel } from '../../parts/order/env-label';
import { useWizard } from './wizard-context';

/**
 * Reminds the user after a reload that typed secrets were not stored. Ordering without them would create a different
 * deployment.
 */
export function ForgottenNote() {
  const t = useText();
  const label = useEnvLabel();
  const { stored, wizard, config } = useWizard();
  // Skip secrets that were typed for another package.
  const requested = config === null ? [] : configurableEnv(config).map(({ name }) => name);
  const missing = ENV_VARIABLES.filter(
    ({ env, field }) =>
      requested.includes(env) && stored.forgotten.includes(field) && (wizard.draft[field] ?? '') === '',
  );
  if (missing.length === 0) return null;
  return (
    <p className="note brass" role="status">
      <KeyRound size={16} aria-hidden="true" />
      <span>{t('wizard.resumed.secrets', { names: missing.map(({ env }) => label(env)).join(', ') })}</span>
    </p>
  );
}
