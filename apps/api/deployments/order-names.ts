import type { NameContext } from '@moorage/domain';
import { parse } from 'tldts';
import type { ApiSettings } from '../settings';

/** Returns the domains that may be ordered here. */
export const orderNames = ({ domainAllowedZones, platform }: ApiSettings): NameContext => ({
  allowedZones: domainAllowedZones,
  parseName: parse,
  platformDomain: platform?.domain ?? null,
});
