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
        <p className="soft anywhere">
          <MessageText message={incident.remedy} />
        </p>
      </div>
      <IncidentButton incident={incident} details={details} tab={tab} />
    </div>
  );
}
