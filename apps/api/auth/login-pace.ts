import { DAY_MS } from '@moorage/domain';
import { iso, type Tx } from '@moorage/server';
import type { Origin } from '../http/call-input';
import type { RateLimiter } from '../http/rate-limiter';

export interface LoginAttempt {
  /** In lower case. */
  readonly email: string;
  readonly origin: Origin;
  /** The account has logged in from this very network before. */
  readonly isKnownNetwork: boolean;
}

/**
 * The limits of logging in (S11). A network that tries one account is slowed down more and more; so is a network that tries
 * many; and what all networks together try on one account has an end, the first try of each included. None of it can lock
 * the owner out where the account has been logged in from before: such a network has a budget of its own.
 */
export function createLoginPace(pace: RateLimiter) {
  return {
    async take({ email, origin, isKnownNetwork }: LoginAttempt): Promise<void> {
      const pair = (network: string): string => `${email}|${network}`;
      if (isKnownNetwork) return pace.take('login_known', pair(origin.networks[0]));
      await pace.takeFrom('login_address', origin.networks);
      await pace.takeFrom('login_pair', origin.networks, pair);
      await pace.take('login_account', email);
    },
    /** The mistakes in this network were the owner's, and what the right password took is no guess. */
    async succeeded({ email, origin, isKnownNetwork }: LoginAttempt): Promise<void> {
      const pair = `${email}|${origin.networks[0]}`;
      await pace.forget(isKnownNetwork ? 'login_known' : 'login_pair', pair);
      if (!isKnownNetwork) await pace.giveBack('login_account', email);
    },
  };
}

const KNOWN_MS = 90 * DAY_MS;
const NETWORKS_PER_ACCOUNT_MAX = 50;
const CLEANED_MAX = 10_000;

/** Networks whose users have proved lately that the account is theirs: by its password, or by a link out of its mail. */
export interface KnownNetworks {
  remember(tx: Tx, login: { userId: number; origin: Origin; at: number }): Promise<void>;
  clean(tx: Tx, at: number): Promise<void>;
}

/** `u.id` has logged in from network `$2` after `$3`. */
export const IS_KNOWN_NETWORK =
  'exists (select 1 from login_networks n where n.user_id = u.id and n.network = $2::cidr and n.last_login_at > $3)';

export const knownSince = (at: number): string => iso(at - KNOWN_MS);

export function createKnownNetworks(): KnownNetworks {
  return {
    async remember(tx, { userId, origin, at }) {
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
    },
    async clean(tx, at) {
      await tx.execute(
        `delete from login_networks where ctid = any(array(
           select ctid from login_networks where last_login_at < $1 order by last_login_at limit ${CLEANED_MAX}
         )) and last_login_at < $1`,
        [knownSince(at)],
      );
    },
  };
}
