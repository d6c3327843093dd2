import { configurableEnv, envValue, envVariable, inputType, type WizardStep } from '@moorage/domain';
import type { ReactNode } from 'react';
import { usePackages } from '../../data/catalogue';
import { markIn } from '../../data/package-marks';
import { placeOf, useWithOffer } from '../../parts/offer';
import { PackageMark } from '../../parts/package-mark';
import { useText } from '../../texts/console-i18n';
import { Flag } from '../../ui/flag';
import { countryIn } from './country';
import { useEnvLabel } from '../../parts/order/env-label';
import { useChosen } from './use-chosen';
import { useWizard } from './wizard-context';

interface OrderedRow {
  readonly what: string;
  /** Step at which it can be changed. */
  readonly step: WizardStep;
  readonly value: ReactNode;
}

/** Returns everything that will be ordered, without empty optional values. */
export function useOrderedRows(): readonly OrderedRow[] {
  const t = useText();
  const { draft } = useWizard().wizard;
  const server = useServerRows();
  const config = useConfigRows();
  const withOffer = useWithOffer(placeOf(draft));
  const level = draft.support_level;
  return [
    { what: t('wizard.steps.package'), step: 'package', value: <ChosenPackage /> },
    ...server,
    ...config,
    {
      what: t('wizard.steps.support'),
      step: 'support',
      value: `${t(`wizard.support.level${level}`)}: ${withOffer(t(`wizard.support.has${level}`), level)}`,
    },
  ];
}

function useServerRows(): readonly OrderedRow[] {
  const t = useText();
  const { draft } = useWizard().wizard;
  const { provider, size } = useChosen();
  const what = t('wizard.steps.server');
  if (draft.server_type !== 'new')
    return [{ what, step: 'server', value: t('wizard.review.own_at', { address: draft.vps_ip_address ?? '' }) }];
  return [
    { what, step: 'server', value: t('wizard.review.new_at', { provider: provider?.display_name ?? '' }) },
    { what: t('wizard.steps.region'), step: 'region', value: <ChosenRegion /> },
    {
      what: t('wizard.steps.instance'),
      step: 'instance',
      value:
        size === null
          ? draft.instance_type
          : t('wizard.review.size', { name: size.display_name, cpu: size.cpu, memory: size.memory }),
    },
  ];
}

/** Returns the values of the configuration step. Secrets are hidden. */
function useConfigRows(): readonly OrderedRow[] {
  const t = useText();
  const label = useEnvLabel();
  const { wizard, config, platformName } = useWizard();
  const { draft } = wizard;
  const typed = (config === null ? [] : configurableEnv(config)).flatMap(({ name }): OrderedRow[] => {
    const field = envVariable(name)?.field;
    const given = config === null ? '' : envValue(draft, name, config);
    const value = name === 'DOMAIN' && given === '' ? (platformName ?? '') : given;
    if (field === undefined || value === '') return [];
    const isSecret = envVariable(name)?.secret === true || inputType(field) === 'password';
    return [{ what: label(name), step: 'config', value: isSecret ? <Dots /> : value }];
  });
  const key = draft.server_type === 'new' ? (draft.user_ssh_key ?? '').trim() : '';
  if (key === '') return typed;
  const value = <span className="mono keyline">{key}</span>;
  return [...typed, { what: t('wizard.config.ssh_label'), step: 'config', value }];
}

function ChosenPackage() {
  const { data: packages } = usePackages();
  const { draft } = useWizard().wizard;
  return (
    <span className="row">
      <PackageMark mark={markIn(packages, draft.package)} size="s" />
      {useChosen().package}
    </span>
  );
}

function ChosenRegion() {
  const { draft } = useWizard().wizard;
  const { region } = useChosen();
  if (region === null) return draft.region;
  return (
    <span className="row">
      <Flag countryCode={region.country_code} />
      {`${region.display_name}, ${countryIn(region.country_code)}`}
    </span>
  );
}

function Dots() {
  const t = useText();
  return (
    <>
      <span className="mono" aria-hidden="true">
        {'•'.repeat(12)}
      </span>
      <span className="vh">{t('wizard.review.hidden')}</span>
    </>
  );
}
