import { dailyPrice, PRICE_LIST, SUPPORT_LEVELS } from '@moorage/domain';
import { placeOf, useWithOffer } from '../../parts/offer';
import { SelfHelpLinks } from '../../parts/operator-links';
import { useText } from '../../texts/console-i18n';
import { hourlyPrice, money } from '../../ui/money';
import { Card, Choices } from '../../parts/order/choice';
import { ChoiceProblem } from './choice-problem';
import { StepHeading } from './step-heading';
import { useWizard } from './wizard-context';

export function SupportStep() {
  const t = useText();
  const { wizard, choose } = useWizard();
  const chosen = wizard.draft.support_level;
  const withOffer = useWithOffer(placeOf(wizard.draft));
  return (
    <>
      <StepHeading title={t('wizard.support.heading')}>{t('wizard.support.intro')}</StepHeading>
      <ChoiceProblem path="support_level" />
      <Choices
        label={t('wizard.steps.support')}
        value={String(chosen)}
        onChoose={(value) => {
          const level = SUPPORT_LEVELS.find((each) => String(each) === value);
          if (level !== undefined) choose({ type: 'support_level_chosen', support_level: level });
        }}
      >
        {SUPPORT_LEVELS.map((level) => {
          const hourly = PRICE_LIST.supportLevelHourly[level];
          return (
            <Card
              key={level}
              value={String(level)}
              chosen={level === chosen}
              price={
                hourly.isZero ? (
                  t('wizard.support.included')
                ) : (
                  <>
                    {money(dailyPrice(hourly).toWire(), { rounding: 'price', sign: true })}
                    <small>{t('wizard.a_day')}</small>
                    <small>{t('wizard.support.hourly', { price: hourlyPrice(hourly.toWire()) })}</small>
                  </>
                )
              }
            >
              <b>{t(`wizard.support.level${level}`)}</b>
              <br />
              <span className="soft">{withOffer(t(`wizard.support.has${level}`), level)}</span>
              <br />
              <span className="small muted">{t(`wizard.support.suits${level}`)}</span>
            </Card>
          );
        })}
      </Choices>
      <SelfHelpLinks />
    </>
  );
}
