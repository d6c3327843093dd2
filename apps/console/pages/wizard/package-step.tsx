import { useState } from 'react';
import { usePackageConfig, usePackages } from '../../data/catalogue';
import { useText } from '../../texts/console-i18n';
import { PackageMark } from '../../parts/package-mark';
import { Card, Choices, FromPrice } from '../../parts/order/choice';
import { RequestPackage } from './request-package';
import { LoadedChoices } from './loaded-choices';
import { ChoiceProblem } from './choice-problem';
import { StepHeading } from './step-heading';
import { useWizard } from './wizard-context';
import { inLanguage } from '../../texts/locale';
import { Button } from '../../ui/button';
import './package-step.css';

export function PackageStep() {
  const t = useText();
  const { wizard, choosePackage } = useWizard();
  const packages = usePackages();
  const [dialog, setDialog] = useState(false);
  const chosen = wizard.draft.package;
  return (
    <>
      <StepHeading title={t('wizard.package.heading')}>{t('wizard.package.intro')}</StepHeading>
      <ChoiceProblem path="package" />
      {/* Fills the screen, so that no visible content shifts when the taller cards load. */}
      <LoadedChoices query={packages} failed={t('wizard.failed.packages')} rows={8}>
        {(list) => (
          <Choices label={t('wizard.steps.package')} value={chosen} onChoose={choosePackage}>
            {list.map((one) => (
              <div key={one.name}>
                <Card
                  value={one.name}
                  chosen={one.name === chosen}
                  className="pk"
                  picture={<PackageMark mark={one.mark} />}
                  price={<FromPrice daily={one.from_daily} />}
                >
                  <b>{one.display_name}</b>
                  <br />
                  <span className="soft">{inLanguage(one.description_texts)}</span>
                  <br />
                  <span className="small muted">
                    {t('wizard.package.needs', { cpu: one.min_cpu, memory: one.min_memory_gb })}
                  </span>
                </Card>
                <Contents of={one.name} />
              </div>
            ))}
          </Choices>
        )}
      </LoadedChoices>
      <p className="small muted missing">
        {t('wizard.package.missing')}{' '}
        <Button kind="text" size="small" className="inline" onClick={() => setDialog(true)}>
          {t('wizard.request.open')}
        </Button>
      </p>
      <RequestPackage open={dialog} onClose={() => setDialog(false)} />
    </>
  );
}

/**
 * Contents of a package, below its card so that expanding them does not select it. Rendered before the data loads to
 * avoid layout shifts.
 */
function Contents({ of: name }: { of: string }) {
  const t = useText();
  const { data: config } = usePackageConfig(name);
  return (
    <details className="contents small">
      <summary>{t('wizard.package.installs')}</summary>
      <ul>
        {config?.details.map(({ name: part, description_texts: description }) => (
          <li key={part}>
            <b>{part}</b> <span className="soft">{inLanguage(description)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
