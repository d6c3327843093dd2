import type { NameContext } from '@moorage/domain';
import { parse } from 'tldts';
import type { ApiSettings } from '../settings';

/** Returns the domains that may be ordered here. */
export const orderNames = ({ domainAllowedZones }: ApiSettings): NameContext => ({
  allowedZones: domainAllowedZones,
  parseName: parse,
});
