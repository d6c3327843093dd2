import { type DeactivationCheck, type Sent, toSent } from '@moorage/contracts';
import {
  ACTIVE_DEPLOYMENT,
  blocksDeactivation,
  DomainError,
  Money,
  refusalToDeactivate,
  USERS_MESSAGES,
} from '@moorage/domain';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/call-input';
import { NO_ACCOUNT } from '../users-store/accounts';
import { IS_LAST_ADMINISTRATOR } from '../users-store/users.repository';
import { Administrators } from './administrators.service';
import { Deactivation } from './deactivation.policy';

interface Row {
  readonly username: string;
  readonly is_deactivated: boolean;
  readonly is_last_administrator: boolean;
  readonly regular_micros: string;
  readonly active: number;
  readonly leaving: number;
}

const SELECT = `
select u.username, u.deactivated_at is not null as is_deactivated, ${IS_LAST_ADMINISTRATOR} as is_last_administrator,
  w.regular_micros,
  (select count(*)::int from deployments d where d.user_id = u.id and d.status = any($2)) as active,
  (select count(*)::int from deployments d where d.user_id = u.id
    and (d.status = 'DESTROYING' or (d.status = 'FAILED' and d.server_exists))) as leaving
from users u join wallets w on w.user_id = u.id
where u.id = $1 and u.erased_at is null`;

/** Deactivates other users' accounts for administrators (decision 19). */
@Injectable()
export class DeactivateAccount {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly administrators: Administrators,
    private readonly deactivation: Deactivation,
  ) {}

  check(caller: Caller, userId: number): Promise<DeactivationCheck> {
    return this.db.tx('users.deactivation-check', (tx) => this.preview(tx, caller, userId));
  }

  /** Returns what prevents a deactivation. The result remains valid under the locks of `Deactivation.lock`. */
  async preview(tx: Tx, caller: Caller, userId: number): Promise<DeactivationCheck> {
    const [row] = await tx.query<Row>(SELECT, [userId, [...ACTIVE_DEPLOYMENT]]);
    if (row === undefined) throw NO_ACCOUNT;
    const { username, active, leaving } = row;
    const regular = Money.fromMicrosText(row.regular_micros);
    const refusal = refusalToDeactivate({
      isSelf: userId === caller.userId,
      isLastAdministrator: row.is_last_administrator,
      isDeactivated: row.is_deactivated,
      active,
      regular,
      name: username,
    });
    return {
      can_deactivate: refusal === null,
      issues: { has_active_deployments: active > 0, has_positive_balance: blocksDeactivation(regular) },
      active_deployment_count: active,
      leaving_deployment_count: leaving,
      user: { id: userId, username, balance: regular.toWire() },
      refusal,
    };
  }

  /** Waits for its turn to change administrators, because the account may be an administrator. */
  run(caller: Caller, userId: number): Promise<Sent> {
    return this.db.tx('users.deactivate', async (tx) => {
      await this.administrators.takeTurn(tx, caller);
      const { username } = await this.deactivation.lock(tx, userId);
      const { refusal } = await this.preview(tx, caller, userId);
      if (refusal !== null) throw new DomainError('ACCOUNT_STATE', refusal);
      await this.deactivation.run(tx, { userId, username, actor: caller.userId, at: await this.clock.now(tx) });
      return toSent(USERS_MESSAGES.deactivated({ name: username }));
    });
  }
}
