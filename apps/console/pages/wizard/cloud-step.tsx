import { FlaskConical } from 'lucide-react';
import { useProviders } from '../../data/catalogue';
import { useText } from '../../texts/console-i18n';
import { useConsoleSettings } from '../../data/brand';
import { Card, Choices, FromPrice, NoneFitting } from '../../parts/order/choice';
import { oldPricesText } from './old-prices-note';
import { ClearsNote } from './clears-note';
import { LoadedChoices } from './loaded-choices';
import { ChoiceProblem } from './choice-problem';
import { StepHeading } from './step-heading';
import { useWizard } from './wizard-context';

export function CloudStep() {
  const t = useText();
  const { wizard, choose } = useWizard();
  const { clouds } = useConsoleSettings();
  const chosen = wizard.draft.cloud_provider;
  return (
    <>
      <StepHeading title={t('wizard.cloud.heading')}>{t('wizard.cloud.intro')}</StepHeading>
      {clouds === 'sandbox' ? (
        <div className="note sandbox">
          <FlaskConical size={16} aria-hidden="true" />
          <div>
            <b>{t('wizard.cloud.sandbox_title')}</b> {t('wizard.cloud.sandbox')}
          </div>
        </div>
      ) : null}
      <ClearsNote fields={['region', 'instance_type']} />
      <ChoiceProblem path="cloud_provider" />
      <LoadedChoices query={useProviders(wizard.draft.package)} failed={t('wizard.failed.providers')} rows={4}>
        {(providers) =>
          providers.length === 0 ? (
            <p className="note">{t('wizard.cloud.none')}</p>
          ) : (
            <Choices
              className="opts two"
              label={t('wizard.steps.cloud')}
              value={chosen}
              onChoose={(name) => choose({ type: 'provider_chosen', cloud_provider: name })}
            >
              {providers.map(({ name, display_name: title, from_daily: daily, simulated, ...prices }) => (
                <Card
                  key={name}
                  value={name}
                  chosen={name === chosen}
                  disabled={daily === null}
                  price={<FromPrice daily={daily} />}
                >
                  <b>{title}</b>
                  {simulated && clouds === 'mixed' ? (
                    <>
                      {' '}
                      <span className="tag">{t('wizard.cloud.simulated')}</span>
                    </>
                  ) : null}
                  {!simulated && prices.prices === 'built_in' ? (
                    <>
                      <br />
                      <span className="small muted">{oldPricesText({ display_name: title, ...prices }, t)}</span>
                    </>
                  ) : null}
                  <NoneFitting daily={daily} />
                </Card>
              ))}
            </Choices>
          )
        }
      </LoadedChoices>
    </>
  );
}
