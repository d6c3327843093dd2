import type { PackageConfigAnswer } from '@moorage/contracts';
import { type ConfigField, withDefaults } from '@moorage/domain';
import { useText } from '../../texts/console-i18n';
import { inLanguage } from '../../texts/locale';
import { KeySource } from '../../parts/order/key-source';
import type { Requested } from './config-fields';
import { ConfigInput } from './config-input';
import { DomainSuggestion, EmailSuggestion, ReachedAt, ReadAs } from './suggestions';
import type { FieldProps } from './use-field-props';
import { useWizard } from './wizard-context';

/** Input of a value that the package requires, with suggestions below it. */
export function EnvInput({ requested, ...fieldProps }: { requested: Requested } & FieldProps) {
  const t = useText();
  const { wizard, config, platformName } = useWizard();
  const { name, field, hint_texts: hint, required, example } = requested;
  const meant = name === 'DOMAIN' ? platformName : meantWhenEmpty(config, wizard.draft).get(name);
  const shown = required || example === '' ? example : t('wizard.config.example', { value: example });
  return (
    <ConfigInput
      env={name}
      hint={hint === null ? null : inLanguage(hint)}
      required={required}
      // The placeholder of an optional field must be the value that applies if it stays empty.
      placeholder={meant ?? shown}
      {...fieldProps}
    >
      <KeySource env={name} />
      {field === 'domain' ? <ReadAs domain={wizard.draft.domain ?? ''} /> : null}
      {field === 'domain' ? <DomainSuggestion /> : null}
      {field === 'admin_email' ? <EmailSuggestion field={field} /> : null}
      {field === 'admin_username' && required && config?.admin_name === 'email' ? (
        <EmailSuggestion field={field} />
      ) : null}
      {field === 'admin_subdomain' ? <ReachedAt /> : null}
    </ConfigInput>
  );
}

/** Maps each name to the value that applies if its field is left empty, if the package defines one. */
function meantWhenEmpty(
  config: PackageConfigAnswer | null,
  draft: Readonly<Partial<Record<ConfigField, string | null>>>,
): ReadonlyMap<string, string> {
  if (config === null) return new Map();
  const { default_admin_subdomain: admin, defaults } = config;
  return withDefaults(
    { defaults: admin === null ? defaults : { ...defaults, ADMIN_SUBDOMAIN: admin } },
    { EMAIL: draft.admin_email ?? '', DOMAIN: draft.domain ?? '' },
  );
}
