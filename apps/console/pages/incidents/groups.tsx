import { INCIDENT_RULES, OWN_SERVER } from '@moorage/domain';
import { CircleAlert, TriangleAlert } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { OpenIncidents } from '../../data/watch';
import { useText } from '../../texts/console-i18n';
import { SectionCard } from '../../ui/card';
import { exactInstant, nearInstant } from '../../ui/dates';
import { useListAddress } from '../../ui/list/list-address';
import type { Chosen } from './filters';

type Group = OpenIncidents['groups'][number];

/** Number of deployments at a provider with the same incident, so that its outage reads as one thing. */
export function Groups({
  groups,
  chosen,
  now,
  nameOf,
}: {
  groups: readonly Group[];
  chosen: Chosen;
  /** Time of the answer. */
  now: number;
  nameOf: (provider: string) => string;
}) {
  const t = useText();
  if (groups.length === 0) return null;
  return (
    <SectionCard id="incident-groups" title={t('incidents.admin.groups')}>
      <ul className="incident-groups">
        {groups.map((group) => (
          <li key={`${group.provider ?? OWN_SERVER} ${group.kind}`}>
            <GroupLink group={group} chosen={chosen} now={now} nameOf={nameOf} />
          </li>
        ))}
      </ul>
    </SectionCard>
  );
}

/** Shows only the incidents of the group, or all again if it is chosen. */
function GroupLink({
  group: { provider, kind, count, since, deployments },
  chosen,
  now,
  nameOf,
}: {
  group: Group;
  chosen: Chosen;
  now: number;
  nameOf: (provider: string) => string;
}) {
  const t = useText();
  const { addressWith } = useListAddress();
  const name = provider ?? OWN_SERVER;
  const isChosen = chosen.provider === name && chosen.kind === kind;
  const isAlarm = INCIDENT_RULES[kind].severity === 'alarm';
  const Icon = isAlarm ? CircleAlert : TriangleAlert;
  return (
    <Link
      to={addressWith(isChosen ? { provider: undefined, kind: undefined } : { provider: name, kind })}
      aria-current={isChosen ? 'true' : undefined}
    >
      <Icon size={16} aria-hidden="true" className={isAlarm ? 'alarm' : 'warning'} />
      <b className="grow">
        {t(`incidents.group.${kind}`, {
          smart_count: count,
          of: deployments,
          place: provider === null ? t('incidents.admin.own') : t('incidents.admin.at', { provider: nameOf(provider) }),
        })}
      </b>
      <time className="small muted" dateTime={since} title={exactInstant(since)}>
        {t('incidents.admin.since', { at: nearInstant(since, now) })}
      </time>
    </Link>
  );
}
