import {
  configurableEnv,
  envLabelMessage,
  envVariable,
  inputType,
  type Message,
  ORDER_MESSAGES,
} from '@moorage/domain';
import { usePackageConfig } from '../../../data/catalogue';
import type { Deployment } from '../../../data/deployments';
import { problemText, refusalText } from '../../../data/problem-message';
import { useAction } from '../../../data/use-action';
import { useEnvLabel } from '../../../parts/order/env-label';
import { useText } from '../../../texts/console-i18n';
import { inLanguage } from '../../../texts/locale';
import { Button } from '../../../ui/button';
import { Form, SubmitError } from '../../../ui/form/form';
import { CheckboxInput, TextInput } from '../../../ui/form/inputs';
import { SubmitButton } from '../../../ui/form/submit-button';
import { ConfigurationDifference } from './configuration-difference';
import {
  type ConfigurationValue,
  differencesOf,
  type Entered,
  enteredOf,
  envOf,
  removalOf,
} from './configuration-values';
import './configuration-form.css';

/** Form with the values that can be changed. Shows the difference before it is applied. */
export function ConfigurationForm({
  deployment,
  values,
  onClose,
}: {
  deployment: Deployment;
  values: readonly ConfigurationValue[];
  onClose: () => void;
}) {
  const t = useText();
  const changeable = values.filter((value) => value.changeable);
  const configure = useAction('deployments', 'configure', { done: t('configuration.applied') });
  const apply = async (entered: Entered): Promise<void> => {
    const changes = Object.fromEntries(differencesOf(changeable, entered).map(({ field, after }) => [field, after]));
    await configure.mutateAsync({ params: { id: deployment.id }, body: { values: changes } });
    onClose();
  };
  return (
    <Form<Entered>
      className="config-form"
      defaultValues={enteredOf(changeable)}
      onSubmit={apply}
      refusal={(error) => refusalText(error, t('configuration.failed'))}
    >
      <SubmitError />
      {changeable.map((value) => (
        <ValueInput key={value.field} deployment={deployment} value={value} />
      ))}
      <ConfigurationDifference deployment={deployment} values={changeable} />
      <div className="row wrap">
        <SubmitButton<Entered>
          label={(entered) =>
            t('configuration.apply', { smart_count: Math.max(1, differencesOf(changeable, entered).length) })
          }
          busyLabel={t('configuration.applying')}
          isReady={(entered) => differencesOf(changeable, entered).length > 0}
        />
        <Button onClick={onClose}>{t('configuration.discard')}</Button>
      </div>
    </Form>
  );
}

function ValueInput({ deployment, value }: { deployment: Deployment; value: ConfigurationValue }) {
  const t = useText();
  const label = useEnvLabel();
  const { data: config } = usePackageConfig(deployment.package);
  const { field, secret, is_set: isSet } = value;
  const env = envOf(field);
  const requested = config === undefined ? undefined : configurableEnv(config).find(({ name }) => name === env);
  const isRequired = requested?.required === true;
  const hint = requested?.hint_texts == null ? undefined : inLanguage(requested.hint_texts);
  const meant = config?.defaults[env];
  const isStored = secret && isSet;
  return (
    <div>
      <TextInput<Entered>
        source={field}
        label={label(env)}
        hint={isStored ? t('configuration.replace') : hint}
        type={secret ? 'password' : inputType(field) === 'email' ? 'email' : 'text'}
        autoComplete={secret ? 'new-password' : 'off'}
        optional={!isRequired || isStored}
        // Shows the value that applies while the field is empty, unless it refers to another value.
        placeholder={meant?.startsWith('{') === true ? undefined : meant}
        validate={(typed) => problemText(problemOf(value, typed.trim(), { isRequired, label: env }))}
      />
      {isStored && !isRequired ? <CheckboxInput source={removalOf(field)} label={t('configuration.remove')} /> : null}
    </div>
  );
}

/** Checks a changed value as the wizard does. Rules across values are left to the server. */
function problemOf(
  { field, secret, is_set: isSet, value }: ConfigurationValue,
  typed: string,
  { isRequired, label }: { isRequired: boolean; label: string },
): Message | null {
  if (typed === value) return null;
  if (typed !== '') return envVariable(envOf(field))?.check(typed, { adminName: 'email' }) ?? null;
  return isRequired && !(secret && isSet) ? ORDER_MESSAGES.value_missing({ label: envLabelMessage(label) }) : null;
}
