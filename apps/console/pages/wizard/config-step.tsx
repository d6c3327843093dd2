import { useEffect, useEffectEvent, useMemo } from 'react';
import { useText } from '../../texts/console-i18n';
import { configSections } from './config-fields';
import { ConfigGroup, ConfigGroups, ConfigPart } from './config-groups';
import { ConfigInput } from './config-input';
import { EnvInput } from './env-input';
import { ForgottenNote } from './forgotten-note';
import { StepHeading } from './step-heading';
import { useFieldProps } from './use-field-props';
import { useWizard } from './wizard-context';
import './config-step.css';

/** Configuration of the package. `marked` counts how often Next was refused. */
export function ConfigStep({ marked }: { marked: number }) {
  const t = useText();
  const { wizard, config, problems } = useWizard();
  const { needed, optional } = useMemo(() => configSections(config ?? { details: [] }), [config]);
  const fieldProps = useFieldProps(marked > 0);
  const isNew = wizard.draft.server_type === 'new';
  const anyProblem = Object.values(problems).some((message) => message !== undefined);

  const focusFirstWrong = useEffectEvent(() => {
    if (marked > 0 || anyProblem)
      document.querySelector<HTMLElement>('.wiz [aria-invalid="true"]:is(input, textarea)')?.focus();
  });
  // Runs when the step opens and each time Next is refused, not while the user types.
  useEffect(() => focusFirstWrong(), [marked]);

  return (
    <>
      <StepHeading title={t('wizard.config.heading')} focus={!anyProblem}>
        {t('wizard.config.intro', { package: config?.display_name ?? '' })}
      </StepHeading>
      <ForgottenNote />
      {config !== null && needed.length + optional.length === 0 ? (
        <p className="note flat">{t('wizard.config.nothing')}</p>
      ) : null}
      {needed.length === 0 ? null : (
        <ConfigPart title={t('wizard.config.needed')}>
          <ConfigGroups groups={needed}>
            {(requested) => <EnvInput requested={requested} {...fieldProps(requested.field)} />}
          </ConfigGroups>
        </ConfigPart>
      )}
      {optional.length === 0 && !isNew ? null : (
        <ConfigPart title={t('wizard.config.optional')} text={t('wizard.config.optional_text')}>
          <ConfigGroups groups={optional}>
            {(requested) => <EnvInput requested={requested} {...fieldProps(requested.field)} />}
          </ConfigGroups>
          {isNew ? (
            <ConfigGroup title={t('wizard.config.ssh')}>
              <ConfigInput
                label={t('wizard.config.ssh_label')}
                hint={t('wizard.config.ssh_hint')}
                required={false}
                placeholder="ssh-ed25519 AAAA... name@computer"
                multiline
                {...fieldProps('user_ssh_key')}
              />
            </ConfigGroup>
          ) : null}
        </ConfigPart>
      )}
    </>
  );
}
