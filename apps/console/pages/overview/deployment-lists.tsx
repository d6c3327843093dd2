import { PROGRESS_STEPS } from '@moorage/domain';
import { OctagonX, Server } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { CatalogueNames } from '../../data/catalogue';
import type { Overview } from '../../data/platform';
import { useText } from '../../texts/console-i18n';
import { messageText } from '../../texts/locale';
import { SectionCard } from '../../ui/card';
import { duration, exactInstant, nearInstant } from '../../ui/dates';
import { FAILED_DEPLOYMENTS } from './places';

type Slow = Overview['slowest'][number];
type Failure = Overview['failures'][number];

/** Steps in progress that began the longest ago. */
export function SlowestCard({ overview: { slowest, now }, names }: { overview: Overview; names: CatalogueNames }) {
  const t = useText();
  return (
    <SectionCard id="slowest" title={t('overview.slowest.title')}>
      {slowest.length === 0 ? (
        <p className="pad soft">{t('overview.slowest.none')}</p>
      ) : (
        <ul className="platform-feed">
          {slowest.map((row) => (
            <li key={row.deployment_id}>
              <Server size={16} aria-hidden="true" />
              <div className="grow">
                <Deployment row={row} /> <Step row={row} names={names} />
              </div>
              <time dateTime={row.since} title={exactInstant(row.since)}>
                {duration(Date.parse(now) - Date.parse(row.since))}
              </time>
            </li>
          ))}
        </ul>
      )}
    </SectionCard>
  );
}

/** Newest deployments that failed, with their reason. */
export function FailuresCard({ overview: { failures, now }, names }: { overview: Overview; names: CatalogueNames }) {
  const t = useText();
  return (
    <SectionCard
      id="failures"
      title={t('overview.failures.title')}
      aside={
        failures.length === 0 ? undefined : (
          <Link className="small" to={FAILED_DEPLOYMENTS}>
            {t('overview.failures.all')}
          </Link>
        )
      }
    >
      {failures.length === 0 ? (
        <p className="pad soft">{t('overview.failures.none')}</p>
      ) : (
        <ul className="platform-feed">
          {failures.map((row) => (
            <li key={row.deployment_id}>
              <OctagonX size={16} aria-hidden="true" className="bad" />
              <div className="grow">
                <Deployment row={row}>
                  {names.packageName(row.package)}, {placeName(row, names, t('deployments.byovps'))}
                </Deployment>
                {row.failure === null ? null : <p className="small soft">{messageText(row.failure)}</p>}
              </div>
              <time dateTime={row.at} title={exactInstant(row.at)}>
                {nearInstant(row.at, Date.parse(now))} UTC
              </time>
            </li>
          ))}
        </ul>
      )}
    </SectionCard>
  );
}

function Deployment({
  row: { deployment_id: id, client_name: name, user_id: userId, username },
  children,
}: {
  row: Pick<Slow, 'deployment_id' | 'client_name' | 'user_id' | 'username'>;
  children?: ReactNode;
}) {
  return (
    <p>
      <Link className="name" to={`/admin-deployments/${id}/show`}>
        {name}
      </Link>{' '}
      <span className="small muted">
        <Link to={`/users/${userId}/show`}>{username}</Link>
        {children === undefined ? null : <>, {children}</>}
      </span>
    </p>
  );
}

function Step({ row, names }: { row: Slow; names: CatalogueNames }) {
  const t = useText();
  const step = PROGRESS_STEPS.find((each) => each === row.step);
  const provider = placeName(row, names, t('deployments.byovps'));
  return (
    <p className="small soft">
      {step === undefined ? row.step : t(`deployments.steps.${step}.doing`, { provider })}
      {row.cloud_provider === null ? null : `, ${provider}`}
    </p>
  );
}

function placeName({ cloud_provider: cloud, region }: Slow | Failure, names: CatalogueNames, own: string): string {
  if (cloud === null) return own;
  return region === null
    ? names.providerName(cloud)
    : `${names.providerName(cloud)} ${names.regionName(cloud, region)}`;
}
