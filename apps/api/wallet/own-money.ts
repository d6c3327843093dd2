import { DomainError, refusalToMoveMoney } from '@moorage/domain';
import type { Caller } from '../http/call-input';

/** Throws if an administrator would move money of their own account. */
export function refuseOwnMoney(caller: Caller, accountId: number): void {
  const refusal = refusalToMoveMoney({ isSelf: caller.userId === accountId });
  if (refusal !== null) throw new DomainError('ACCOUNT_STATE', refusal);
}
