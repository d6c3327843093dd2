import { Link } from 'react-router-dom';
import type { Deployment } from '../../../data/deployments';
import { useRead } from '../../../data/use-read';
import { ActivityTable } from '../../../parts/activity/activity-table';
import { useText } from '../../../texts/console-i18n';
import { Loaded, SectionCard } from '../../../ui/card';
import { useActsAsOwner } from '../actions';

/** Newest activity on the deployment, for its owner only. */
export function History({ deployment }: { deployment: Deployment }) {
  return useActsAsOwner(deployment) ? <Entries id={deployment.id} /> : null;
}

function Entries({ id }: { id: number }) {
  const t = useText();
  const entries = useRead('activity', 'GET /users/self/activity', { query: { deployment_id: id } });
  return (
    <SectionCard
      id="history"
      title={t('deployments.page.history')}
      aside={<Link to="/activity?kind=deployments">{t('deployments.page.all_activity')}</Link>}
    >
      <Loaded query={entries} failed={t('activity.failed')}>
        {({ activity: rows }) =>
          rows.length === 0 ? (
            <p className="pad muted">{t('activity.none')}</p>
          ) : (
            <ActivityTable rows={rows.map((row) => ({ ...row, deployment: null }))} />
          )
        }
      </Loaded>
    </SectionCard>
  );
}
