import { useState } from 'react';
import { usePackages } from '../../data/catalogue';
import { markIn } from '../../data/package-marks';
import { PackageMark } from '../../parts/package-mark';
import { useText } from '../../texts/console-i18n';
import { inLanguage } from '../../texts/locale';
import { Button } from '../../ui/button';
import { Row } from './express-row';
import { PackageCards } from './package-cards';
import { useWizard } from './wizard-context';

/** Chosen package, which can be changed in place. */
export function PackageRow() {
  const t = useText();
  const { data: packages } = usePackages();
  const { wizard } = useWizard();
  const [open, setOpen] = useState(false);
  const chosen = packages?.find(({ name }) => name === wizard.draft.package);
  const what = t('wizard.steps.package');
  if (open) {
    return (
      <Row label={what}>
        <PackageCards onChosen={() => setOpen(false)} />
      </Row>
    );
  }
  return (
    <Row
      label={what}
      change={
        <Button
          kind="text"
          size="small"
          className="inline"
          aria-label={t('wizard.review.change_what', { what })}
          onClick={() => setOpen(true)}
        >
          {t('wizard.review.change')}
        </Button>
      }
    >
      <span className="row">
        <PackageMark mark={markIn(packages, wizard.draft.package)} size="s" />
        <b>{chosen?.display_name ?? wizard.draft.package}</b>
      </span>
      {chosen === undefined ? null : <span className="soft">{inLanguage(chosen.description_texts)}</span>}
    </Row>
  );
}
