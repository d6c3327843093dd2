import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { allows } from '../../../parts/deployment/deployment-messages';
import { bothForms } from '../../../ui/both-forms';
import { useActsAsOwner } from '../actions';
import { Section } from '../section';
import { ChangeDomain } from './change-domain';

/** Domain of a deployment, which can be changed until it points to the server. */
export function DomainSection({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const isOwner = useActsAsOwner(deployment);
  if (deployment.domain === null) return null;
  return (
    <Section className="domain-sec" title={t('deployments.page.domain')}>
      <p className="anywhere">
        <b>{bothForms(deployment.domain)}</b>
      </p>
      {isOwner && !allows(deployment, 'change_domain') ? (
        <p className="hint">{t('deployments.page.domain_fixed')}</p>
      ) : null}
      <ChangeDomain deployment={deployment} />
    </Section>
  );
}
