import type { User } from '@moorage/database';
import { type Instant, iso, REFERRAL_TERMS, type ReferralDoubt, referralDoubts, startOfMonth } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { homeNetwork } from '../http/address';
import { Mailboxes } from './mailboxes.repository';

/** Both sides of a referral at the time when the new address is verified. */
export interface ReferralPair {
  readonly userId: number;
  readonly signupIp: string | null;
  /** Network of `signupIp`. */
  readonly network: string | null;
  readonly emailNormalised: string;
  readonly referrer: { readonly id: number; readonly isActive: boolean } | null;
}

interface PairRow extends Pick<User, 'id' | 'signup_ip' | 'email_normalised'> {
  readonly referrer_id: number | null;
  readonly referrer_active: boolean | null;
}

interface DoubtRow {
  readonly is_referrers_network: boolean;
  readonly is_used_network: boolean;
  readonly pairs_this_month: number;
}

const DOUBTS = `
select
  exists (select 1 from users r where r.id = $1 and r.signup_ip <<= $2::cidr)
    or exists (select 1 from login_networks n where n.user_id = $1 and n.network <<= $2::cidr) as is_referrers_network,
  exists (select 1 from referral_pairs p where p.network = $2::cidr and p.verified_at > $3) as is_used_network,
  (select count(*)::int from referral_pairs p where p.referrer_user_id = $1 and p.granted_at >= $4) as pairs_this_month`;

@Injectable()
export class ReferralCredits {
  constructor(
    private readonly ledger: Ledger,
    private readonly mailboxes: Mailboxes,
  ) {}

  /**
   * Locks the wallets. They come first in the lock order, and two of them by id, so that crossing pairs cannot
   * deadlock. The network precedes them so that its accounts are verified one after the other. Otherwise each would
   * find that no other has received credits yet.
   */
  async lockWallets(tx: Tx, userId: number): Promise<ReferralPair> {
    const before = await readPair(tx, userId);
    const network = before.signup_ip === null ? null : homeNetwork(before.signup_ip);
    if (network !== null && before.referrer_id !== null) await takeTurn(tx, `moorage.referral-network/${network}`);
    const wallets = [userId, ...(before.referrer_id === null ? [] : [before.referrer_id])].sort((a, b) => a - b);
    for (const wallet of wallets) await this.ledger.lock(tx, wallet);
    // The decision uses what is read after the locks, because the address may have changed and the referrer may have
    // been deactivated in the meantime.
    const row = await readPair(tx, userId, 'for no key update of u');
    return {
      userId,
      signupIp: row.signup_ip,
      network,
      emailNormalised: row.email_normalised,
      referrer: row.referrer_id === null ? null : { id: row.referrer_id, isActive: row.referrer_active === true },
    };
  }

  /**
   * Grants both sides a credit once per referred user (decisions 12). A mailbox cannot refer itself or form a second
   * pair, neither in another spelling nor for another account. Suspected farming is held for review instead.
   */
  async grant(tx: Tx, pair: ReferralPair, at: Instant): Promise<void> {
    const { userId, network, emailNormalised, referrer } = pair;
    if (referrer === null || referrer.id === userId) return;
    if (await this.mailboxes.isOf(tx, { userId: referrer.id, emailNormalised })) return;
    if (!(await this.mailboxes.claim(tx, { userId, what: 'referral', at }))) return;
    const doubts = await this.doubts(tx, { referrerId: referrer.id, network, at });
    const isGranted = doubts.length === 0;
    await tx.execute(
      `insert into referral_pairs (referred_user_id, referrer_user_id, network, state, doubts, verified_at, granted_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [userId, referrer.id, network, isGranted ? 'granted' : 'waiting', doubts, iso(at), isGranted ? iso(at) : null],
    );
    if (isGranted) await this.pay(tx, { ...pair, referrer }, { at });
  }

  /**
   * Grants both credits. A deactivated referrer gets nothing, the new user still does. The caller holds the locks of
   * the wallets.
   */
  async pay(
    tx: Tx,
    {
      userId,
      signupIp,
      referrer,
    }: Pick<ReferralPair, 'userId' | 'signupIp'> & { referrer: { id: number; isActive: boolean } },
    { at, actorUserId }: { at: Instant; actorUserId?: number },
  ): Promise<void> {
    const common = { at, ipAddress: signupIp, actorUserId };
    await this.ledger.grantCredit(tx, { ...common, userId, creditType: 'referred', referralUserId: referrer.id });
    if (!referrer.isActive) return;
    await this.ledger.grantCredit(tx, {
      ...common,
      userId: referrer.id,
      creditType: 'referrer',
      referralUserId: userId,
    });
  }

  private async doubts(
    tx: Tx,
    { referrerId, network, at }: { referrerId: number; network: string | null; at: Instant },
  ): Promise<ReferralDoubt[]> {
    const [row] = await tx.query<DoubtRow>(DOUBTS, [
      referrerId,
      network,
      iso(at - REFERRAL_TERMS.networkMs),
      iso(startOfMonth(at)),
    ]);
    if (row === undefined) throw new Error('the aggregate returned no row');
    return referralDoubts({
      // An unknown network does not count as equal.
      isReferrersNetwork: row.is_referrers_network === true,
      isUsedNetwork: row.is_used_network,
      pairsThisMonth: row.pairs_this_month,
    });
  }
}

async function takeTurn(tx: Tx, name: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}

async function readPair(tx: Tx, userId: number, lock: 'for no key update of u' | '' = ''): Promise<PairRow> {
  const [row] = await tx.query<PairRow>(
    `select u.id, host(u.signup_ip) as signup_ip, u.email_normalised,
            r.id as referrer_id, r.deactivated_at is null as referrer_active
       from users u left join users r on r.id = u.referred_by_user_id where u.id = $1 ${lock}`,
    [userId],
  );
  if (row === undefined) throw new Error('the account of the referral does not exist');
  return row;
}
