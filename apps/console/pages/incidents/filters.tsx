import { INCIDENT_KINDS, type IncidentKind } from '@moorage/domain';
import { useText } from '../../texts/console-i18n';
import { useListAddress } from '../../ui/list/list-address';

export interface Chosen {
  readonly provider: string | undefined;
  readonly kind: IncidentKind | undefined;
}

/** Selects the provider and the kind of the list. Both are in the address. */
export function Filters({
  providers,
  chosen,
  nameOf,
}: {
  providers: readonly string[];
  chosen: Chosen;
  nameOf: (provider: string) => string;
}) {
  const t = useText();
  return (
    <span className="row wrap incident-filters">
      <Choice
        name="provider"
        label={t('incidents.admin.provider')}
        all={t('incidents.admin.all_providers')}
        chosen={chosen.provider}
        choices={providers.map((provider) => [provider, nameOf(provider)])}
      />
      <Choice
        name="kind"
        label={t('incidents.admin.kind')}
        all={t('incidents.admin.all_kinds')}
        chosen={chosen.kind}
        choices={INCIDENT_KINDS.map((kind) => [kind, t(`incidents.kind.${kind}`)])}
      />
    </span>
  );
}

function Choice({
  name,
  label,
  all,
  chosen,
  choices,
}: {
  name: 'provider' | 'kind';
  label: string;
  /** Choice that clears the filter. */
  all: string;
  chosen: string | undefined;
  choices: readonly (readonly [value: string, label: string])[];
}) {
  const { go } = useListAddress();
  return (
    <span className="in">
      <select
        aria-label={label}
        value={chosen ?? ''}
        onChange={({ target: { value } }) => go({ [name]: value === '' ? undefined : value })}
      >
        <option value="">{all}</option>
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </span>
  );
}
