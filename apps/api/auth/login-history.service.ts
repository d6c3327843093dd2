import type { SignInKind, SignInRecord } from '@moorage/contracts';
import { SignIn } from '@moorage/database';
import { type Instant, iso } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Origin } from '../http/call-input';
import { deviceOf } from '../http/devices';

const LISTED_MAX = 50;

/** Login history of an account, shown to its owner. */
@Injectable()
export class LoginHistory {
  async record(
    tx: Tx,
    { userId, kind, origin, at }: { userId: number; kind: SignInKind; origin: Origin; at: Instant },
  ): Promise<void> {
    await tx
      .repository(SignIn)
      .insert({ user_id: userId, kind, at, ip_address: origin.ip, user_agent: origin.userAgent });
  }

  async list(tx: Tx, userId: number): Promise<SignInRecord[]> {
    const rows = await tx
      .repository(SignIn)
      .find({ where: { user_id: userId }, order: { id: 'desc' }, take: LISTED_MAX });
    return rows.map(({ id, at, kind, ip_address, user_agent }) => ({
      id: Number(id),
      at: iso(at),
      kind,
      ip_address,
      ...deviceOf(user_agent),
    }));
  }
}
