import { useState } from 'react';
import { Button } from '../../../ui/button';
import { exactInstant } from '../../../ui/dates';
import { useText } from '../../../texts/console-i18n';
import { MessageText } from '../../../ui/message-text';
import { OpenAction } from '../page/header-action';
import { usePage } from '../page/page-context';
import { Section } from '../section';
import type { Details } from '../use-details';
import { History } from './history';
import { StepLog } from './step-log';
import { RunSteps, Timeline } from './timeline';

/** Steps of the deployment's latest run with their log, and the newest activity on the deployment. */
export default function ActivityTab() {
  const { details } = usePage();
  if (details === undefined) return null;
  return (
    <div className="deployment-cols plain">
      <div>
        {details.showsTimeline ? <Timeline details={details} /> : <LatestRun details={details} />}
        <History deployment={details.deployment} />
        <OpenAction deployment={details.deployment} />
      </div>
    </div>
  );
}

/** Steps of the latest run, which has ended. They are shown on request. */
function LatestRun({ details }: { details: Details }) {
  const t = useText();
  const [isShown, setShown] = useState(false);
  const { deployment, progress } = details;
  const { run = null, steps = [] } = progress.data ?? {};
  const endedAt = steps.findLast(({ ended_at: at }) => at !== null)?.ended_at ?? null;
  const failed = steps.find(({ state }) => state === 'failed');
  const outcome = failed === undefined ? 'ended' : 'ended_failed';
  return (
    <>
      <Section title={t('deployments.page.latest_run')}>
        {progress.isError ? (
          <p role="alert">{t('deployments.progress.failed')}</p>
        ) : steps.length === 0 ? (
          <p className="muted">{t('deployments.page.no_steps')}</p>
        ) : (
          <p>
            {endedAt === null || run === null
              ? null
              : `${t(`deployments.page.${outcome}`, { run: t(`metrics.event.${run}`), at: exactInstant(endedAt) })} `}
            {failed?.message == null ? null : (
              <>
                <MessageText message={failed.message} />{' '}
              </>
            )}
            <Button kind="text" size="small" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
              {t(isShown ? 'deployments.page.hide_steps' : 'deployments.page.show_steps')}
            </Button>
          </p>
        )}
        {steps.length === 0 ? <StepLog id={deployment.id} /> : null}
      </Section>
      {isShown ? <RunSteps details={details} /> : null}
    </>
  );
}
