import { useInstanceTypes } from '../../data/catalogue';
import { useText } from '../../texts/console-i18n';
import { Choices } from '../../parts/order/choice';
import { OldPrices } from './old-prices-note';
import { SizeTable } from './size-table';
import { LoadedChoices } from './loaded-choices';
import { ChoiceProblem } from './choice-problem';
import { StepHeading } from './step-heading';
import { useChosen } from './use-chosen';
import { useWizard } from './wizard-context';

export function InstanceStep() {
  const t = useText();
  const { wizard, config, choose } = useWizard();
  const chosen = useChosen();
  const { cloud_provider: cloud, region, package: name, instance_type: type } = wizard.draft;
  const sizes = useInstanceTypes(cloud, region, name);
  const pick = (instance: string): void => choose({ type: 'instance_chosen', instance_type: instance });
  return (
    <>
      <StepHeading title={t('wizard.instance.heading')}>
        {config === null
          ? null
          : t('wizard.instance.intro', {
              region: chosen.region?.display_name ?? region ?? '',
              package: config.display_name,
              cpu: config.requires.cpu,
              memory: config.requires.memory_gb,
            })}
      </StepHeading>
      <OldPrices />
      <ChoiceProblem path="instance_type" />
      <LoadedChoices query={sizes} failed={t('wizard.failed.sizes')} rows={6}>
        {(list) => (
          <Choices className="card sizes" label={t('wizard.steps.instance')} value={type} onChoose={pick}>
            <SizeTable sizes={list} chosen={type} onPick={pick} />
          </Choices>
        )}
      </LoadedChoices>
      <p className="hint">{t('wizard.instance.note')}</p>
    </>
  );
}
