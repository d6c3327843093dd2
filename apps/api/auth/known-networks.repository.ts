import { DAY_MS } from '@moorage/domain';
import { iso, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Origin } from '../http/call-input';

const KNOWN_MS = 90 * DAY_MS;
const NETWORKS_PER_ACCOUNT_MAX = 50;
const CLEANED_MAX = 10_000;

/** SQL condition that `u.id` has logged in from network `$2` after `$3`. */
export const IS_KNOWN_NETWORK =
  'exists (select 1 from login_networks n where n.user_id = u.id and n.network = $2::cidr and n.last_login_at > $3)';

export const knownSince = (at: number): string => iso(at - KNOWN_MS);

/** Networks whose users have recently proved that they own the account, by its password or by a link emailed to it. */
@Injectable()
export class KnownNetworks {
  async remember(tx: Tx, { userId, origin, at }: { userId: number; origin: Origin; at: number }): Promise<void> {
    await tx.execute(
      `insert into login_networks (user_id, network, last_login_at) values ($1, $2, $3)
         on conflict (user_id, network) do update set last_login_at = excluded.last_login_at`,
      [userId, origin.networks[0], iso(at)],
    );
    await tx.execute(
      `delete from login_networks where user_id = $1 and network in
           (select network from login_networks where user_id = $1 order by last_login_at desc offset $2)`,
      [userId, NETWORKS_PER_ACCOUNT_MAX],
    );
  }

  async clean(tx: Tx, at: number): Promise<void> {
    await tx.execute(
      `delete from login_networks where ctid = any(array(
           select ctid from login_networks where last_login_at < $1 order by last_login_at limit ${CLEANED_MAX}
         )) and last_login_at < $1`,
      [knownSince(at)],
    );
  }
}
