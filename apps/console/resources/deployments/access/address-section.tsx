import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { CopyButton } from '../../../ui/copy-button';
import { addressOf, isOver } from '../../../parts/deployment/deployment-messages';
import { AccessLink } from '../overview/facts-section';
import { Section } from '../section';

/** Addresses of the package and of its server. */
export function AddressSection({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const address = addressOf(deployment);
  return (
    <Section title={t('deployments.page.address')}>
      <dl className="kv">
        {deployment.access_link === null || isOver(deployment) ? null : (
          <div>
            <dt>{t('deployments.facts.link')}</dt>
            <dd>
              <AccessLink deployment={deployment} link={deployment.access_link} />
            </dd>
          </div>
        )}
        <div>
          <dt>{t('deployments.facts.address')}</dt>
          <dd>
            {address === null ? (
              <span className="muted">{t('layout.none')}</span>
            ) : (
              <span className="row tight">
                <span className="mono">{address}</span>
                <CopyButton value={address} what={t('deployments.facts.address')} />
              </span>
            )}
          </dd>
        </div>
      </dl>
    </Section>
  );
}
