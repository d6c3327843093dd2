import type { PriceQuestionBody } from '@moorage/contracts';
import type { Draft } from '@moorage/domain';

export type PlaceField = 'cloud_provider' | 'region' | 'instance_type';

type Place = Pick<Draft, 'server_type' | 'support_level' | PlaceField>;

/** Returns the price request of a draft, or null while the price cannot be determined. */
export function priceQuestionOf(draft: Place): PriceQuestionBody | null {
  const { server_type, support_level } = draft;
  if (server_type === 'vps')
    return { server_type, support_level, cloud_provider: null, region: null, instance_type: null };
  const { cloud_provider, region, instance_type } = draft;
  if (server_type !== 'new' || cloud_provider === null || region === null || instance_type === null) return null;
  return { server_type, support_level, cloud_provider, region, instance_type };
}
