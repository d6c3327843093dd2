import { CircleAlert, PowerOff, TriangleAlert } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Deployment } from '../../../data/deployments';
import type { Incident } from '../../../data/watch';
import { useText } from '../../../texts/console-i18n';
import { MessageText } from '../../../ui/message-text';
import { IncidentButton } from '../incidents/incident-button';
import { pageOf } from '../tabs';
import type { Details } from '../use-details';

/** Returns the open incidents that no other explains, the most important first. */
export const causesOf = ({ incidents = [] }: Deployment): readonly Incident[] =>
  incidents.filter(({ is_explained: isExplained }) => !isExplained);

/** States the most important open incident with its remedy, and the number of the others. */
export function IncidentNote({ details, tab }: { details: Details; tab?: string }) {
  const t = useText();
  const { deployment, isAlive } = details;
  const [incident, ...others] = causesOf(deployment);
  if (incident === undefined || !isAlive) return null;
  const isAlarm = incident.severity === 'alarm';
  const Icon = incident.kind === 'server_off' ? PowerOff : isAlarm ? CircleAlert : TriangleAlert;
  return (
    <div className={isAlarm ? 'note port' : 'note brass'} role={isAlarm ? 'alert' : 'status'}>
      <Icon size={16} aria-hidden="true" />
      <div className="grow">
        <p className="anywhere">
          <b>
            <MessageText message={incident.message} />
          </b>{' '}
          {others.length === 0 || tab === 'metrics' ? null : (
            <Link className="small" to={pageOf(deployment.id, 'metrics')}>
              {t('incidents.more', { smart_count: others.length })}
            </Link>
          )}
        </p>
        {incident.kind === 'server_off' ? <FailedStart details={details} /> : null}
        <p className="soft anywhere">
          <MessageText message={incident.remedy} />
        </p>
      </div>
      <IncidentButton incident={incident} details={details} tab={tab} />
    </div>
  );
}

/** States why the latest start of the server failed. */
function FailedStart({ details: { progress } }: { details: Details }) {
  const t = useText();
  const failed = progress.data?.steps.find(({ state }) => state === 'failed');
  if (failed?.name !== 'start-server' || failed.message === null) return null;
  return (
    <p className="anywhere">
      {t('incidents.start.failed_last')} <MessageText message={failed.message} />
    </p>
  );
}
