import { envValue } from '@moorage/domain';
import { TriangleAlert } from 'lucide-react';
import { useDeploymentsAt } from '../../data/deployments';
import { useText } from '../../texts/console-i18n';
import { tidyDomain } from '../../parts/order/domain-name';
import { useWizard } from './use-wizard';

/**
 * Warns before the order that another deployment of the account has the same address. Only one of them would be
 * reachable.
 */
export function SameDomain() {
  const t = useText();
  const { wizard, config } = useWizard();
  const { draft } = wizard;
  const subdomain = config === null ? '' : envValue(draft, 'ADMIN_SUBDOMAIN', config);
  const { data: [other] = [] } = useDeploymentsAt({ domain: tidyDomain(draft.domain ?? ''), subdomain });
  if (other === undefined) return null;
  const host = [subdomain, other.domain].filter((part) => part !== '' && part !== null).join('.');
  return (
    <div className="note port" role="status">
      <TriangleAlert size={16} aria-hidden="true" />
      <p>{t('wizard.review.same_domain', { name: other.client_name, host })}</p>
    </div>
  );
}
