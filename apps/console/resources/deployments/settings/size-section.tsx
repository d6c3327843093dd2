import { useState } from 'react';
import { useCatalogueNames } from '../../../data/catalogue';
import { type Deployment, useProgress } from '../../../data/deployments';
import { forgetUnpaidChoice, unpaidChoice } from '../../../data/unpaid-choice';
import { addressOf, allows, isOwn } from '../../../parts/deployment/deployment-messages';
import { useText } from '../../../texts/console-i18n';
import { Button } from '../../../ui/button';
import { useActsAsOwner, useIsVerified } from '../actions';
import { ProgressTimeline } from '../activity/progress-timeline';
import { Plain, Section } from '../section';
import { SizeChooser } from './size-chooser';

/** Size and place of the server, with a button that opens the choice of another size, or the steps of a resize. */
export function SizeSection({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const { id } = deployment;
  const [choosing, setChoosing] = useState(unpaidChoice('size', id) !== null);
  const end = (): void => {
    forgetUnpaidChoice('size', id);
    setChoosing(false);
  };
  const isVerified = useIsVerified();
  const actsAsOwner = useActsAsOwner(deployment);
  const { status, cloud_provider: cloud, region, instance_type: size } = deployment;
  const names = useCatalogueNames(cloud === null ? [] : [cloud]);
  if (isOwn(deployment) || cloud === null || region === null || size === null)
    return (
      <Section title={t('resize.title')}>
        <p>
          {t('resize.own')} <span className="mono">{addressOf(deployment)}</span>
        </p>
      </Section>
    );
  const mayResize = actsAsOwner && isVerified && allows(deployment, 'resize');
  const provider = names.providerName(cloud);
  return (
    <Section className="level-sec" title={t('resize.title')}>
      <div className="row">
        <span className="grow">
          <b className="mono">{size.toUpperCase()}</b>
          <br />
          <span className="small muted">
            {t('resize.place', { provider, region: names.regionName(cloud, region) })}
          </span>
        </span>
        {mayResize ? (
          <Button size="small" aria-expanded={choosing} onClick={choosing ? end : () => setChoosing(true)}>
            {choosing ? t('layout.cancel') : t('resize.change')}
          </Button>
        ) : null}
      </div>
      {choosing && mayResize ? <SizeChooser deployment={deployment} onDone={end} /> : null}
      {status === 'RESTARTING' ? <ResizeSteps deployment={deployment} provider={provider} /> : null}
    </Section>
  );
}

/** Shows the live steps of a resize, or of the return to the previous size. */
function ResizeSteps({ deployment, provider }: { deployment: Deployment; provider: string }) {
  const t = useText();
  const { data: progress, dataUpdatedAt } = useProgress(deployment.id, deployment.status);
  if (progress?.run !== 'resize' && progress?.run !== 'undo-resize') return null;
  return (
    <div className="resize-steps" aria-live="polite">
      <p>
        <b>{progress.run === 'resize' ? t('resize.running') : t('resize.undoing')}</b>
      </p>
      <Plain>
        <ProgressTimeline
          deployment={deployment}
          provider={provider}
          progress={progress}
          arrivedAt={dataUpdatedAt}
          dns={undefined}
        />
      </Plain>
    </div>
  );
}
