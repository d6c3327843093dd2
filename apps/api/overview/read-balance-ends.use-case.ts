import type { Wallet } from '@moorage/database';
import type { BalanceEnd } from '@moorage/contracts';
import { isoOrNull } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';

/** Reads how long the balances of several users last, for lists of administrators. */
@Injectable()
export class ReadBalanceEnds {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly ledger: Ledger,
  ) {}

  /** `userIds` are at most a page of a list. */
  list(userIds: readonly number[]): Promise<BalanceEnd[]> {
    return this.db.tx('overview.balance-ends', async (tx) => {
      const at = await this.clock.now(tx);
      const known = await tx.query<Pick<Wallet, 'user_id'>>(
        'select user_id from wallets where user_id = any ($1::int[]) order by user_id',
        [[...userIds]],
      );
      const ends: BalanceEnd[] = [];
      for (const { user_id: userId } of known) {
        const { endsAt, stops } = await this.ledger.runway(tx, { userId, at });
        ends.push({ user_id: userId, ends_at: isoOrNull(endsAt), stops: [...stops] });
      }
      return ends;
    });
  }
}
