import { askedEnv, ENV_VARIABLES } from '@moorage/domain';
import { KeyRound } from 'lucide-react';
import { useText } from '../texts/console-i18n';
import { useEnvLabel } from './env-label';
import { useWizard } from './use-wizard';

/** After a reload: the secrets that were typed are not here any more, and an order without them would be another one. */
export function ForgottenNote() {
  const t = useText();
  const label = useEnvLabel();
  const { kept, wizard, config } = useWizard();
  // what was typed for another package is not asked for again
  const asked = config === null ? [] : askedEnv(config).map(({ name }) => name);
  const missing = ENV_VARIABLES.filter(
    ({ env, field }) => asked.includes(env) && kept.forgotten.includes(field) && (wizard.draft[field] ?? '') === '',
  );
  if (missing.length === 0) return null;
  return (
    <p className="note brass" role="status">
      <KeyRound size={16} aria-hidden="true" />
      <span>{t('wizard.resumed.secrets', { names: missing.map(({ env }) => label(env)).join(', ') })}</span>
    </p>
  );
}
