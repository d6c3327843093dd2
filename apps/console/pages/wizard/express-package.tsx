import { useState } from 'react';
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
  const { wizard, config } = useWizard();
  const [open, setOpen] = useState(false);
  // The choice is known before its configuration.
  const chosen = config?.name === wizard.draft.package ? config : null;
  const what = t('wizard.steps.package');
  if (open) {
    return (
      <Row label={what}>
        <PackageCards closes onChosen={() => setOpen(false)} />
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
        {chosen === null ? null : <PackageMark mark={chosen.mark} size="s" />}
        <b>{chosen?.display_name ?? wizard.draft.package}</b>
      </span>
      {chosen === null ? null : <span className="soft">{inLanguage(chosen.package_description_texts)}</span>}
    </Row>
  );
}
