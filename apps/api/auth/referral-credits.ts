import { Ledger } from '@moorage/ledger';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

/** The two sides of a referral, as they are when the new address is verified. */
export interface ReferralPair {
  readonly userId: number;
  readonly signupIp: string | null;
  readonly emailNormalised: string;
  readonly referrer: { readonly id: number; readonly isActive: boolean; readonly emailNormalised: string } | null;
}

interface PairRow {
  readonly id: number;
  readonly signup_ip: string | null;
  readonly email_normalised: string;
  readonly referrer_id: number | null;
  readonly referrer_active: boolean | null;
  readonly referrer_email: string | null;
}

@Injectable()
export class ReferralCredits {
  constructor(private readonly ledger: Ledger) {}

  /**
   * Wallets come first in the lock order, and two of them by id, so that pairs that cross cannot wait for each other. Before
   * them the mailbox: its spellings are verified one after the other, or each would find that no other has a credit yet.
   */
  async lockWallets(tx: Tx, userId: number): Promise<ReferralPair> {
    const before = await readPair(tx, userId);
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `moorage.referral/${before.email_normalised}`,
    ]);
    const wallets = [userId, ...(before.referrer_id === null ? [] : [before.referrer_id])].sort((a, b) => a - b);
    for (const wallet of wallets) await this.ledger.lock(tx, wallet);
    // who gets a credit is decided on what is read after the locks: the referrer may have been deactivated meanwhile
    const row = await readPair(tx, userId);
    return {
      userId,
      signupIp: row.signup_ip,
      emailNormalised: row.email_normalised,
      referrer:
        row.referrer_id === null
          ? null
          : { id: row.referrer_id, isActive: row.referrer_active === true, emailNormalised: row.referrer_email ?? '' },
    };
  }

  /**
   * Decisions 12: both sides get a credit, once per referred user. The same mailbox under another spelling refers nobody, and
   * gets no second credit under a second spelling. A deactivated referrer gets nothing, the new user still does.
   */
  async grant(tx: Tx, { userId, signupIp, emailNormalised, referrer }: ReferralPair, at: number): Promise<void> {
    if (referrer === null || referrer.id === userId || referrer.emailNormalised === emailNormalised) return;
    const [before] = await tx.query(
      `select 1 from credits c join users u on u.id = c.user_id where c.credit_type = 'referred' and u.email_normalised = $1 limit 1`,
      [emailNormalised],
    );
    if (before !== undefined) return;
    await this.ledger.grantCredit(tx, {
      userId,
      creditType: 'referred',
      at,
      ipAddress: signupIp,
      referralUserId: referrer.id,
    });
    if (!referrer.isActive) return;
    await this.ledger.grantCredit(tx, {
      userId: referrer.id,
      creditType: 'referrer',
      at,
      ipAddress: signupIp,
      referralUserId: userId,
    });
  }
}

async function readPair(tx: Tx, userId: number): Promise<PairRow> {
  const [row] = await tx.query<PairRow>(
    `select u.id, host(u.signup_ip) as signup_ip, u.email_normalised,
            r.id as referrer_id, r.deactivated_at is null as referrer_active, r.email_normalised as referrer_email
       from users u left join users r on r.id = u.referred_by_user_id where u.id = $1`,
    [userId],
  );
  if (row === undefined) throw new Error('a token of no account');
  return row;
}
