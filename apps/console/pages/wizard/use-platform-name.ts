import type { PackageConfigAnswer } from '@moorage/contracts';
import { configurableEnv, type Draft, offersPlatformName, platformLabel, withOptionalDomain } from '@moorage/domain';
import { useMemo } from 'react';
import { useConsoleSettings } from '../../data/brand';

/**
 * Returns the form of a package with the name that the platform gives an order without a domain, or null if every order
 * needs its own. The server may add a suffix if the name is taken.
 */
export function usePlatformName(
  config: PackageConfigAnswer | null,
  { draft, clientName }: { draft: Draft; clientName: string },
): { config: PackageConfigAnswer | null; platformName: string | null } {
  const { platform_domain: domain, sandbox_domain: sandbox } = useConsoleSettings();
  const platform = domain === null ? null : { domain, isSimulated: sandbox !== null && domain.endsWith(`.${sandbox}`) };
  const offers = offersPlatformName(platform, draft.server_type);
  const form = useMemo(() => (config !== null && offers ? withOptionalDomain(config) : config), [config, offers]);
  const hasDomain = config !== null && configurableEnv(config).some(({ name }) => name === 'DOMAIN');
  const label = platformLabel(clientName);
  const isGiven = offers && hasDomain && domain !== null && label !== null;
  return { config: form, platformName: isGiven ? `${label}.${domain}` : null };
}
