import { WALLET_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { setTotalCount } from '../http/count';
import { Serve } from '../http/serve';
import { WalletService } from './wallet.service';

@Controller()
export class WalletController {
  constructor(private readonly wallet: WalletService) {}

  @Serve(WALLET_CALLS.balance)
  balance({ caller }: CallInput<typeof WALLET_CALLS.balance>) {
    return this.wallet.balance(caller);
  }

  @Serve(WALLET_CALLS.runway)
  runway({ caller, query }: CallInput<typeof WALLET_CALLS.runway>) {
    return this.wallet.runway(caller, query);
  }

  @Serve(WALLET_CALLS.transactions)
  transactions({ caller, query }: CallInput<typeof WALLET_CALLS.transactions>) {
    return this.wallet.transactions(caller, query);
  }

  @Serve(WALLET_CALLS.userBalance)
  userBalance({ caller, params }: CallInput<typeof WALLET_CALLS.userBalance>) {
    return this.wallet.balanceOf(caller, params.id);
  }

  @Serve(WALLET_CALLS.userRunway)
  userRunway({ params }: CallInput<typeof WALLET_CALLS.userRunway>) {
    return this.wallet.runwayOf(params.id);
  }

  @Serve(WALLET_CALLS.adminTransactions)
  async adminTransactions({ query, reply }: CallInput<typeof WALLET_CALLS.adminTransactions>) {
    if (query.user !== undefined) return this.wallet.transactionsOf(query.user, query);
    const { counted, ...answer } = await this.wallet.transactionsOfAll(query);
    setTotalCount(counted, reply);
    return answer;
  }

  @Serve(WALLET_CALLS.adjustBalance)
  adjustBalance({ caller, params, body, idempotencyKey }: CallInput<typeof WALLET_CALLS.adjustBalance>) {
    return this.wallet.adjust(caller, params.id, body, idempotencyKey);
  }
}
