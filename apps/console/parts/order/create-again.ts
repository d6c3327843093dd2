import { canOrderElsewhere, mayGoNext, wizardSteps } from '@moorage/domain';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { isMissing } from '../../data/errors';
import { packageConfigQuery, sizesQuery } from '../../data/catalogue';
import type { Deployment } from '../../data/deployments';
import { readQuery } from '../../data/use-read';
import { useText } from '../../texts/console-i18n';
import { storeDraft, newDraft } from './draft-storage';
import { EXPRESS_ADDRESS, stepAddress } from './step-address';
import { withReason } from '../../data/problem-message';
import { useToast } from '../../ui/use-toast';

/**
 * Stores a draft with the choices of this deployment that are still offered. Returns the address to continue at: the
 * step of the first missing choice, or the whole order if nothing is missing. A size that the provider did not have is
 * chosen again.
 */
async function submitAgain(deployment: Deployment, client: QueryClient): Promise<string> {
  const fresh = newDraft<never>(deployment.user_id, Date.now());
  const { server_type, support_level, vps_ip_address } = deployment;
  const { domain, admin_subdomain, static_page_subdomain, komodo_host_ip } = deployment;
  const place = await placeOf(deployment, client);
  const hadNone = canOrderElsewhere(deployment.status, deployment.failure?.code);
  const draft = {
    ...fresh.wizard.draft,
    ...{ server_type, support_level, vps_ip_address },
    ...{ domain, admin_subdomain, static_page_subdomain, komodo_host_ip },
    package: await packageOf(deployment, client),
    ...place,
    ...(hadNone ? { instance_type: null } : {}),
  };
  const filled = { ...fresh.wizard, draft };
  const missing = wizardSteps(draft)
    .slice(0, wizardSteps(draft).indexOf('config'))
    .find((each) => !mayGoNext({ ...filled, step: each }, null));
  storeDraft({ ...fresh, wizard: { ...filled, step: missing ?? 'config' } });
  return missing === undefined ? EXPRESS_ADDRESS : stepAddress(missing);
}

/** Stores the draft and opens the wizard. Loads the deployment first if only its ID is given. */
export function useCreateAgain(): { run: (of: Deployment | number) => void; isBusy: boolean } {
  const t = useText();
  const toast = useToast();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const run = async (of: Deployment | number): Promise<void> => {
    setBusy(true);
    try {
      const deployment = typeof of === 'number' ? await client.fetchQuery(deploymentQuery(of)) : of;
      await navigate(await submitAgain(deployment, client));
    } catch (error) {
      toast(withReason(t('deployments.ended.again_failed'), error), { type: 'error' });
    } finally {
      setBusy(false);
    }
  };
  return { run: (of) => void run(of), isBusy };
}

const deploymentQuery = (id: number) => readQuery('deployments', 'GET /deployments/{id}', { params: { id } });

const packageOf = ({ package: name }: Deployment, client: QueryClient): Promise<string | null> =>
  client.ensureQueryData(packageConfigQuery(name)).then(() => name, noneOf(null));

const NO_PLACE = { cloud_provider: null, region: null, instance_type: null };

/** Returns its place, as far as it is still offered. */
async function placeOf(
  { server_type, package: name, cloud_provider, region, instance_type }: Deployment,
  client: QueryClient,
): Promise<Pick<Deployment, 'cloud_provider' | 'region' | 'instance_type'>> {
  if (server_type !== 'new' || cloud_provider === null || region === null) return NO_PLACE;
  const sizes = await client.ensureQueryData(sizesQuery(cloud_provider, region, name)).catch(noneOf(null));
  if (sizes === null) return NO_PLACE;
  const isOffered = sizes.some((size) => size.name === instance_type && size.available);
  return { cloud_provider, region, instance_type: isOffered ? instance_type : null };
}

/** Treats a 404 as no longer offered. Other errors leave that open and are rethrown. */
const noneOf =
  <None>(none: None) =>
  (error: unknown): None => {
    if (isMissing(error)) return none;
    throw error;
  };
