import { countryIn } from './country';
import { useRegions } from '../../data/catalogue';
import { useText } from '../../texts/console-i18n';
import { Flag } from '../../ui/flag';
import { Card, Choices, FromPrice, NoneFitting } from '../../parts/order/choice';
import { ClearsNote } from './clears-note';
import { LoadedChoices } from './loaded-choices';
import { ChoiceProblem } from './choice-problem';
import { StepHeading } from './step-heading';
import { useChosen } from './use-chosen';
import { useWizard } from './wizard-context';

export function RegionStep() {
  const t = useText();
  const { wizard, choose } = useWizard();
  const { provider } = useChosen();
  const { cloud_provider: cloud, package: name, region: chosen } = wizard.draft;
  return (
    <>
      <StepHeading title={t('wizard.region.heading')}>
        {t('wizard.region.intro', { provider: provider?.display_name ?? cloud ?? '' })}
      </StepHeading>
      <ClearsNote fields={['instance_type']} />
      <ChoiceProblem path="region" />
      <LoadedChoices query={useRegions(cloud, name)} failed={t('wizard.failed.regions')} rows={4}>
        {(regions) => (
          <Choices
            className="opts two"
            label={t('wizard.steps.region')}
            value={chosen}
            onChoose={(region) => choose({ type: 'region_chosen', region })}
          >
            {regions.map((region) => (
              <Card
                key={region.name}
                value={region.name}
                chosen={region.name === chosen}
                disabled={region.from_daily === null}
                picture={<Flag countryCode={region.country_code} />}
                price={<FromPrice daily={region.from_daily} />}
              >
                <b>{region.display_name}</b>
                <br />
                <span className="small muted">
                  {countryIn(region.country_code)}, <span className="mono">{region.name}</span>
                </span>
                <NoneFitting daily={region.from_daily} />
              </Card>
            ))}
          </Choices>
        )}
      </LoadedChoices>
    </>
  );
}
