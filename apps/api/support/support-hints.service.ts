import type { SupportMessage } from '@moorage/database';
import type { Instant } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { LiveService } from '../live/live.service';

/** User id for conversations of visitors, which only administrators see. */
const ANONYMOUS = 0;

/** Notifies the browsers that show a conversation of its changes. */
@Injectable()
export class SupportHints {
  constructor(private readonly live: LiveService) {}

  send(tx: Tx, { row: { id, user_id }, at }: { row: SupportMessage; at: Instant }): void {
    this.live.send(tx, [{ userId: user_id ?? ANONYMOUS, hint: { kind: 'support', id, version: at } }]);
  }
}
