import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { CreateCost } from './create-cost';
import { Radios, TextInput } from './create-inputs';
import { DomainFields } from './domain-fields';
import { LevelHint, LevelSelect } from './level-fields';
import { OwnServerField } from './own-server-field';
import { PlaceFields } from './place-fields';
import { NOT_CHECKED, type NewPlaceForm, type Problems } from './use-new-place';
import './create-fields.css';

/** Server of a new deployment, at a provider or the customer's own. */
export function PlaceChoice({
  form,
  deployment,
  problems,
}: {
  form: NewPlaceForm;
  deployment: Deployment | undefined;
  problems: Problems;
}) {
  const t = useText();
  const { place, change, isBroken } = form;
  return (
    <>
      <Radios
        label={t('backups.create.where')}
        value={place.server_type}
        choices={[
          { value: 'new', label: t('wizard.server.new') },
          { value: 'vps', label: t('wizard.server.own') },
        ]}
        problem={problems.server_type}
        onChoose={(value) => {
          form.setServerCheck(NOT_CHECKED);
          change({ server_type: value === 'vps' ? 'vps' : 'new' });
        }}
      />
      {place.server_type === 'new' ? (
        <PlaceFields form={form} problems={problems} />
      ) : (
        <OwnServerField
          address={place.vps_ip_address}
          onType={(address) => change({ vps_ip_address: address })}
          serverCheck={form.serverCheck}
          onServerCheck={form.setServerCheck}
          packageName={deployment?.package ?? null}
          problem={problems.vps_ip_address ?? null}
        />
      )}
      {isBroken ? (
        <p className="problem small" role="alert">
          {t('backups.create.no_place')}
        </p>
      ) : null}
    </>
  );
}

/** Form for a new deployment with place, name, domain, support level and cost. */
export function CreateFields({
  form,
  deployment,
  problems,
}: {
  form: NewPlaceForm;
  deployment: Deployment | undefined;
  problems: Problems;
}) {
  const t = useText();
  const { place, change } = form;
  return (
    <div className="create-fields">
      <PlaceChoice form={form} deployment={deployment} problems={problems} />
      <div className="two">
        <TextInput
          label={t('backups.create.name')}
          value={place.client_name}
          hint={t('backups.create.name_hint')}
          problem={problems.client_name}
          onType={(name) => change({ client_name: name })}
        />
        <LevelSelect form={form} problems={problems} />
      </div>
      <LevelHint form={form} />
      <DomainFields form={form} deployment={deployment} problem={problems.domain} />
      <CreateCost form={form} />
    </div>
  );
}
