import type { PackageConfigAnswer } from '@moorage/contracts';
import { type AskedEnv, askedEnv, type ConfigField, envVariable } from '@moorage/domain';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useText } from '../texts/console-i18n';
import { ConfigInput } from './config-input';
import { DomainSuggestion, EmailSuggestion, ReachedAt } from './suggestions';
import { ForgottenNote } from './forgotten-note';
import { StepHeading } from './step-frame';
import { type Problems, useWizard } from './use-wizard';
import { inLanguage, said } from '../texts/locale';

type PackageDetail = PackageConfigAnswer['details'][number];

/** A value the package asks for, with the row of the dictionary that says how. */
interface Asked extends AskedEnv {
  readonly field: ConfigField;
  readonly placeholder: string;
}

/** The fields of each part of the package; a name that two parts ask for stands at the first. */
function fieldsByPart(details: readonly PackageDetail[]): { part: PackageDetail; fields: Asked[] }[] {
  const all = askedEnv({ details });
  const taken = new Set<string>();
  return details.flatMap((part) => {
    const own = askedEnv({ details: [part] }).map(({ name }) => name);
    const fields = all.flatMap((asked) => {
      const row = envVariable(asked.name);
      if (row === undefined || !own.includes(asked.name) || taken.has(asked.name)) return [];
      taken.add(asked.name);
      return [{ ...asked, field: row.field, placeholder: row.placeholder }];
    });
    return fields.length === 0 ? [] : [{ part, fields: fields.toSorted(requiredFirst) }];
  });
}

const requiredFirst = (one: Asked, other: Asked): number => Number(other.required) - Number(one.required);

/** What was typed, tidied: nobody means the blanks around it, nor https:// before a domain. */
export function tidy(field: ConfigField | 'user_ssh_key', value: string): string {
  const trimmed = value.trim();
  if (field !== 'domain') return trimmed;
  return trimmed
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[./]+$/, '');
}

export function ConfigStep({ marked }: { marked: number }) {
  const t = useText();
  const { wizard, config, problems, checkTyped, type } = useWizard();
  const [left, setLeft] = useState<readonly string[]>([]);
  const parts = useMemo(() => fieldsByPart(config?.details ?? []), [config]);
  const found: Problems = checkTyped();
  const { draft } = wizard;

  // a field is judged when it has been left, all of them when Next was tried
  const problemOf = (path: string): string | null => {
    const problem = problems[path] ?? (marked > 0 || left.includes(path) ? found[path] : undefined);
    return problem === undefined ? null : said(problem);
  };
  const anyProblem = Object.values(problems).some((message) => message !== undefined);

  const focusFirstWrong = useEffectEvent(() => {
    if (marked > 0 || anyProblem)
      document.querySelector<HTMLElement>('.wiz [aria-invalid="true"]:is(input, textarea)')?.focus();
  });
  // once when the step opens, and each time Next was refused; not while somebody types
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

  return (
    <>
      <StepHeading title={t('wizard.config.heading')} focus={!anyProblem}>
        {t('wizard.config.intro', { package: config?.display_name ?? '' })}
      </StepHeading>
      <ForgottenNote />
      {config !== null && parts.length === 0 ? <p className="note flat">{t('wizard.config.nothing')}</p> : null}
      {parts.map(({ part, fields }) => (
        <section key={part.name} className="card part" aria-labelledby={`part-${part.name}`}>
          <header>
            <h2 id={`part-${part.name}`}>
              {part.name} <span className="soft small">{inLanguage(part.description_texts)}</span>
            </h2>
          </header>
          <div className="pad fields">
            {fields.map(({ name, field, hint_texts: hint, required, placeholder }) => (
              <ConfigInput
                key={name}
                env={name}
                hint={hint === null ? null : inLanguage(hint)}
                required={required}
                placeholder={
                  name === 'ADMIN_SUBDOMAIN' ? (config?.default_admin_subdomain ?? placeholder) : placeholder
                }
                {...fieldProps(field)}
              >
                {field === 'domain' ? <DomainSuggestion /> : null}
                {field === 'admin_email' ? <EmailSuggestion /> : null}
                {field === 'admin_subdomain' ? <ReachedAt /> : null}
              </ConfigInput>
            ))}
          </div>
        </section>
      ))}
      {draft.server_type === 'new' ? (
        <section className="card part" aria-labelledby="part-ssh">
          <header>
            <h2 id="part-ssh">{t('wizard.config.ssh')}</h2>
          </header>
          <div className="pad fields">
            <ConfigInput
              label={t('wizard.config.ssh_label')}
              hint={t('wizard.config.ssh_hint')}
              required={false}
              placeholder="ssh-ed25519 AAAA... name@computer"
              multiline
              {...fieldProps('user_ssh_key')}
            />
          </div>
        </section>
      ) : null}
    </>
  );
}
