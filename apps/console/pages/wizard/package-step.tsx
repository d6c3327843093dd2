import { useState } from 'react';
import { useText } from '../../texts/console-i18n';
import { PackageCards } from './package-cards';
import { RequestPackage } from './request-package';
import { ChoiceProblem } from './choice-problem';
import { StepHeading } from './step-heading';
import { Button } from '../../ui/button';

export function PackageStep() {
  const t = useText();
  const [dialog, setDialog] = useState(false);
  return (
    <>
      <StepHeading title={t('wizard.package.heading')}>{t('wizard.package.intro')}</StepHeading>
      <ChoiceProblem path="package" />
      <PackageCards />
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
