import { Session, UserToken } from '@moorage/database';
import type { Instant } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { IsNull, Not } from 'typeorm';

/**
 * Ends the credentials that were obtained before the account's rights or one of its factors changed, so that they do
 * not profit from the change: all sessions except `ownSessionId`, and API tokens with administrator rights. The caller
 * holds the lock on the account's row.
 */
export async function endEarlierCredentials(
  tx: Tx,
  { userId, ownSessionId, at }: { userId: number; ownSessionId?: string | null; at: Instant },
): Promise<void> {
  const others = ownSessionId == null ? {} : { id: Not(ownSessionId) };
  await tx.repository(Session).update({ user_id: userId, ended_at: IsNull(), ...others }, { ended_at: at });
  await tx
    .repository(UserToken)
    .update({ user_id: userId, purpose: 'api_token', scope: 'admin', revoked_at: IsNull() }, { revoked_at: at });
}
