import { ACTIVE_DEPLOYMENT, envValue } from '@moorage/domain';
import { TriangleAlert } from 'lucide-react';
import { useSession } from '../../data/session';
import { useRead } from '../../data/use-read';
import { useText } from '../../texts/console-i18n';
import { tidyDomain } from '../../parts/order/domain-name';
import { useWizard } from './wizard-context';

const FOUND_MAX = 20;

/**
 * Warns before the order that another deployment of the account has the same address. Only one of them would be
 * reachable.
 */
export function SameDomain() {
  const t = useText();
  const { wizard, config } = useWizard();
  const own = useSession()?.user?.id;
  const { draft } = wizard;
  const subdomain = config === null ? '' : envValue(draft, 'ADMIN_SUBDOMAIN', config);
  const domain = tidyDomain(draft.domain ?? '');
  const { data: found = [] } = useRead(
    'deployments',
    'GET /deployments',
    domain === '' ? null : { query: { search: domain, page: 1, per_page: FOUND_MAX } },
  );
  const other = found.find(
    (one) =>
      one.user_id === own &&
      one.domain === domain &&
      (one.admin_subdomain ?? '') === subdomain &&
      ACTIVE_DEPLOYMENT.includes(one.status),
  );
  if (other === undefined) return null;
  const host = [subdomain, other.domain].filter((part) => part !== '' && part !== null).join('.');
  return (
    <div className="note port" role="status">
      <TriangleAlert size={16} aria-hidden="true" />
      <p>{t('wizard.review.same_domain', { name: other.client_name, host })}</p>
    </div>
  );
}
