import type { CreditAnswer } from '@moorage/contracts';

/** Returns the status as specified: Active if usable, Expired if not usable and expired, otherwise Inactive. */
export function creditStatus({
  is_usable,
  is_expired,
}: Pick<CreditAnswer, 'is_usable' | 'is_expired'>): 'active' | 'expired' | 'inactive' {
  if (is_usable) return 'active';
  return is_expired ? 'expired' : 'inactive';
}
