import type { PackageConfigAnswer } from '@moorage/contracts';
import { configurableEnv, type ConfigField, withDefaults } from '@moorage/domain';
import { type ReactNode, useEffect, useEffectEvent, useId, useMemo, useState } from 'react';
import { useText } from '../../texts/console-i18n';
import { type Requested, configSections, type FieldGroup, type GroupName } from './config-fields';
import { ConfigInput } from './config-input';
import { tidyDomain } from '../../parts/order/domain-name';
import { DomainSuggestion, EmailSuggestion, ReachedAt, ReadAs } from './suggestions';
import { useEnvLabel } from './env-label';
import { ForgottenNote } from './forgotten-note';
import { StepHeading } from './step-frame';
import { type Problems, useWizard } from './use-wizard';
import { inLanguage, messageText } from '../../texts/locale';

/** Normalizes typed input. */
export const tidy = (field: ConfigField | 'user_ssh_key', value: string): string =>
  field === 'domain' ? tidyDomain(value) : value.trim();

export function ConfigStep({ marked }: { marked: number }) {
  const t = useText();
  const { wizard, config, problems, checkTyped, type } = useWizard();
  const [left, setLeft] = useState<readonly string[]>([]);
  const { needed, optional } = useMemo(() => configSections(config ?? { details: [] }), [config]);
  const found: Problems = checkTyped();
  const { draft } = wizard;
  const isNew = draft.server_type === 'new';

  // Fields are validated on blur, and all of them when Next is refused.
  const problemOf = (path: string): string | null => {
    const problem = problems[path] ?? (marked > 0 || left.includes(path) ? found[path] : undefined);
    return problem === undefined ? null : messageText(problem);
  };
  const anyProblem = Object.values(problems).some((message) => message !== undefined);

  const focusFirstWrong = useEffectEvent(() => {
    if (marked > 0 || anyProblem)
      document.querySelector<HTMLElement>('.wiz [aria-invalid="true"]:is(input, textarea)')?.focus();
  });
  // Runs when the step opens and each time Next is refused, not while the user types.
  useEffect(() => focusFirstWrong(), [marked]);

  const fieldProps = (path: ConfigField | 'user_ssh_key') => ({
    field: path,
    value: draft[path] ?? '',
    problem: problemOf(path),
    onType: (value: string) => type(path, value),
    onLeave: () => {
      const value = draft[path] ?? '';
      if (tidy(path, value) !== value) type(path, tidy(path, value));
      if (value !== '') setLeft((before) => [...before, path]);
    },
  });

  const meant = meantWhenEmpty(config, draft);
  const inputOf = ({ name, field, hint_texts: hint, required, example }: Requested): ReactNode => (
    <ConfigInput
      key={name}
      env={name}
      hint={hint === null ? null : inLanguage(hint)}
      required={required}
      // The placeholder of an optional field must be the value that applies if it stays empty.
      placeholder={
        meant.get(name) ?? (required || example === '' ? example : t('wizard.config.example', { value: example }))
      }
      {...fieldProps(field)}
    >
      {field === 'domain' ? <ReadAs domain={draft.domain ?? ''} /> : null}
      {field === 'domain' ? <DomainSuggestion /> : null}
      {field === 'admin_email' ? <EmailSuggestion field={field} /> : null}
      {field === 'admin_username' && required && config?.admin_name === 'email' ? (
        <EmailSuggestion field={field} />
      ) : null}
      {field === 'admin_subdomain' ? <ReachedAt /> : null}
    </ConfigInput>
  );

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
        <Part title={t('wizard.config.needed')}>
          <Groups groups={needed} inputOf={inputOf} />
        </Part>
      )}
      {optional.length === 0 && !isNew ? null : (
        <Part title={t('wizard.config.optional')} text={t('wizard.config.optional_text')}>
          <Groups groups={optional} inputOf={inputOf} />
          {isNew ? (
            <Group title={t('wizard.config.ssh')}>
              <ConfigInput
                label={t('wizard.config.ssh_label')}
                hint={t('wizard.config.ssh_hint')}
                required={false}
                placeholder="ssh-ed25519 AAAA... name@computer"
                multiline
                {...fieldProps('user_ssh_key')}
              />
            </Group>
          ) : null}
        </Part>
      )}
    </>
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

function Part({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="card part" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
      </header>
      <div className="pad">
        {text === undefined ? null : <p className="soft">{text}</p>}
        {children}
      </div>
    </section>
  );
}

function Groups({ groups, inputOf }: { groups: readonly FieldGroup[]; inputOf: (requested: Requested) => ReactNode }) {
  const t = useText();
  const purpose = useGroupPurpose();
  return groups.map(({ group, fields }) =>
    group === null ? (
      <div className="fields" key={fields[0]?.name}>
        {fields.map(inputOf)}
      </div>
    ) : (
      <Group key={group} title={t(`wizard.config.group.${group}`)} text={purpose(group)}>
        {fields.map(inputOf)}
      </Group>
    ),
  );
}

function Group({ title, text = '', children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <fieldset className="group">
      <legend>{title}</legend>
      {text === '' ? null : <p className="small soft">{text}</p>}
      <div className="fields">{children}</div>
    </fieldset>
  );
}

/** Returns the purpose of a group. For the administrator group it explains which credentials are used to log in. */
function useGroupPurpose(): (group: GroupName) => string {
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
