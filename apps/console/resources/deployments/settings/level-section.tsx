import { useState } from 'react';
import type { Deployment } from '../../../data/deployments';
import { forgetUnpaidChoice, unpaidChoice } from '../../../data/unpaid-choice';
import { useCanChange } from '../../../data/session';
import { useText } from '../../../texts/console-i18n';
import { allows, levelKey } from '../../../parts/deployment/deployment-messages';
import { Button } from '../../../ui/button';
import { useIsVerified } from '../actions';
import { Section } from '../section';
import { LevelChooser } from './level-chooser';

/** Support level of a deployment with a button that opens the choice of another one. */
export function LevelSection({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const { id } = deployment;
  const [choosing, setChoosing] = useState(unpaidChoice('level', id) !== null);
  const end = (): void => {
    forgetUnpaidChoice('level', id);
    setChoosing(false);
  };
  const isVerified = useIsVerified();
  const canChange = useCanChange();
  const mayChange = canChange && isVerified && allows(deployment, 'change_level');
  return (
    <Section className="level-sec" title={t('deployments.cost.level')}>
      <div className="row">
        <span className="grow">{t(levelKey(deployment.support_level))}</span>
        {mayChange ? (
          <Button size="small" aria-expanded={choosing} onClick={choosing ? end : () => setChoosing(true)}>
            {choosing ? t('layout.cancel') : t('deployments.cost.change')}
          </Button>
        ) : null}
      </div>
      {choosing && mayChange ? <LevelChooser deployment={deployment} onDone={end} /> : null}
    </Section>
  );
}
