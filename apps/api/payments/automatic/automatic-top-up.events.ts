import { AUTOMATIC_TOP_UP } from '@moorage/contracts';
import { WorkSchedule } from '@moorage/messaging';
import { OnEvent, type ProductEvent } from '@moorage/runtime';
import { Clock, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

/** Events that may bring a balance below its threshold. The passage of time does too and is handled by the schedule. */
type ShortEvent = 'balance.changed' | 'balance.low' | 'balance.grace_period_started';

@Injectable()
export class AutomaticTopUpEvents {
  constructor(
    private readonly clock: Clock,
    private readonly work: WorkSchedule,
  ) {}

  @OnEvent('balance.changed', 'balance.low', 'balance.grace_period_started')
  async check(tx: Tx, { data: { user_id: userId } }: ProductEvent<ShortEvent>): Promise<void> {
    const [on] = await tx.query('select 1 from automatic_top_ups where user_id = $1 and enabled', [userId]);
    if (on === undefined) return;
    await this.work.schedule(tx, { kind: AUTOMATIC_TOP_UP, key: String(userId), due_at: await this.clock.now(tx) });
  }
}
