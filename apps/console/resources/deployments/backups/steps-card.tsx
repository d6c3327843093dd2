import { useCatalogueNames } from '../../../data/catalogue';
import type { Backups } from '../../../data/backups';
import { type Deployment, useProgress } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { nearInstant } from '../../../ui/dates';
import { ProgressTimeline } from '../activity/progress-timeline';
import { Plain } from '../section';
import './steps-card.css';

/** Shows the live steps of a restore or an undo. */
export function StepsCard({ deployment, backups, now }: { deployment: Deployment; backups: Backups; now: number }) {
  const t = useText();
  const { status, cloud_provider: cloud } = deployment;
  const { data: progress, dataUpdatedAt } = useProgress(deployment.id, status);
  const names = useCatalogueNames(cloud === null ? [] : [cloud]);
  if (status !== 'RESTARTING' || progress === undefined) return null;
  if (progress.run !== 'restore' && progress.run !== 'undo-restore') return null;
  const { restore } = backups;
  return (
    <section className="card pad restore-steps" aria-labelledby="restore-steps">
      <h2 id="restore-steps">
        {progress.run === 'undo-restore' || restore === null
          ? t('backups.notes.undoing')
          : t('backups.notes.restoring', { at: nearInstant(restore.taken_at, now) })}
      </h2>
      <Plain>
        <ProgressTimeline
          deployment={deployment}
          provider={cloud === null ? t('deployments.byovps') : names.providerName(cloud)}
          progress={progress}
          arrivedAt={dataUpdatedAt}
          dns={undefined}
        />
      </Plain>
    </section>
  );
}
