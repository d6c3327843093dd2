import type { AdminUserAnswer } from '@moorage/contracts';
import { useSession } from '../../data/session';

/** Returns whether the account can be impersonated, which administrators and deactivated accounts can't. */
export function useCanImpersonate(user: AdminUserAnswer): boolean {
  const me = useSession()?.user;
  return !user.is_admin && user.deactivated_at === null && user.id !== me?.id;
}
