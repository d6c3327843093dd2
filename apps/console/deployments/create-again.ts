import { keepDraft, newDraft } from '../wizard/kept-draft';
import type { Deployment } from '../data/deployments';

/** The wizard, filled in as this deployment was ordered; what is secret has to be typed again. */
export function keepAgain(deployment: Deployment): void {
  const fresh = newDraft<never>(deployment.user_id, Date.now());
  const { server_type, support_level, cloud_provider, region, instance_type, vps_ip_address } = deployment;
  const { domain, admin_subdomain, static_page_subdomain, komodo_host_ip } = deployment;
  keepDraft({
    ...fresh,
    wizard: {
      ...fresh.wizard,
      draft: {
        ...fresh.wizard.draft,
        package: deployment.package,
        ...{ server_type, support_level, cloud_provider, region, instance_type, vps_ip_address },
        ...{ domain, admin_subdomain, static_page_subdomain, komodo_host_ip },
      },
    },
  });
}
