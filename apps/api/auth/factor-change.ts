import { Session, UserToken } from '@moorage/database';
import type { Instant } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { IsNull, Not } from 'typeorm';

/**
 * Ends what was obtained before the rights of an account or one of its factors changed, so that it does not profit from the
 * change: the sessions except `keptSessionId`, and API tokens with administrator rights. The account's row is locked.
 */
export async function endEarlierCredentials(
  tx: Tx,
  { userId, keptSessionId, at }: { userId: number; keptSessionId?: string | null; at: Instant },
): Promise<void> {
  const others = keptSessionId == null ? {} : { id: Not(keptSessionId) };
  await tx.repository(Session).update({ user_id: userId, ended_at: IsNull(), ...others }, { ended_at: at });
  await tx
    .repository(UserToken)
    .update({ user_id: userId, purpose: 'api_token', scope: 'admin', revoked_at: IsNull() }, { revoked_at: at });
}
