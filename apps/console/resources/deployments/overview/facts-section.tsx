import { RUNNING } from '@moorage/domain';
import type { ReactNode } from 'react';
import type { CatalogueNames } from '../../../data/catalogue';
import type { Deployment } from '../../../data/deployments';
import { useSession } from '../../../data/session';
import { useText } from '../../../texts/console-i18n';
import { exactInstant } from '../../../ui/dates';
import { Section } from '../section';
import { CopyButton } from '../../../ui/copy-button';
import { addressOf, hostOf, isOwn, levelKey, openedAt } from '../../../parts/deployment/deployment-messages';

/** Facts of a deployment that do not change on their own. */
export function FactsSection({ deployment, names }: { deployment: Deployment; names: CatalogueNames }) {
  const t = useText();
  const isAdmin = useSession()?.user?.is_admin === true;
  const {
    access_link: link,
    cloud_provider: cloud,
    region,
    instance_type,
    status,
    deleted_at,
    ended,
    user,
  } = deployment;
  const address = addressOf(deployment);
  const facts: [string, ReactNode][] = [];
  const over = deleted_at !== null || ['FAILED', 'DESTROYING', 'DESTROYED'].includes(status);
  if (link !== null && !over)
    facts.push([t('deployments.facts.link'), <AccessLink key="link" deployment={deployment} link={link} />]);
  facts.push([
    t('deployments.facts.address'),
    address === null ? (
      <span className="muted">{t('layout.none')}</span>
    ) : (
      <span className="row tight">
        <span className="mono">{address}</span>
        <CopyButton value={address} what={t('deployments.facts.address')} />
      </span>
    ),
  ]);
  facts.push([t('deployments.facts.package'), names.packageName(deployment.package)]);
  facts.push([
    t('deployments.facts.provider'),
    isOwn(deployment) || cloud === null ? t('deployments.byovps') : names.providerName(cloud),
  ]);
  if (!isOwn(deployment) && cloud !== null && region !== null)
    facts.push([t('deployments.facts.region'), names.regionName(cloud, region)]);
  if (!isOwn(deployment) && instance_type !== null)
    facts.push([t('deployments.facts.size'), <span className="mono">{instance_type.toUpperCase()}</span>]);
  facts.push([t('deployments.facts.level'), t(levelKey(deployment.support_level))]);
  if (isAdmin && user !== undefined) facts.push([t('deployments.facts.owner'), `${user.username}, ${user.email}`]);
  facts.push([t('deployments.facts.created'), exactInstant(deployment.created_at)]);
  if (ended !== null)
    facts.push([
      t('deployments.facts.ended'),
      `${exactInstant(ended.at)}, ${t(`deployments.ended.reason.${ended.reason}`)}`,
    ]);
  return (
    <Section title={t('deployments.page.facts')}>
      <dl className="kv">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <SimulatedHint deployment={deployment} />
    </Section>
  );
}

/** Note that the deployment is simulated. */
export function SimulatedHint({ deployment }: { deployment: Deployment }) {
  const t = useText();
  return deployment.sandbox ? <p className="hint">{t('deployments.facts.simulated')}</p> : null;
}

/** Address of the package. Not a link until it runs. */
export function AccessLink({ deployment, link }: { deployment: Deployment; link: string }) {
  const t = useText();
  if (RUNNING.includes(deployment.status))
    return (
      <a href={openedAt(deployment) ?? link} target="_blank" rel="noreferrer">
        {hostOf(link)}
      </a>
    );
  return (
    <>
      {hostOf(link)}{' '}
      <span className="muted">{deployment.domain === null ? null : t('deployments.facts.after_dns')}</span>
    </>
  );
}
