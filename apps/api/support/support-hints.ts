import type { SupportMessage } from '@moorage/database';
import type { Instant } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { LiveService } from '../live/live.service';

/** Of a visitor: only administrators see the conversation. */
const NOBODY = 0;

/** Tells the browsers that show a conversation that it has changed. */
@Injectable()
export class SupportHints {
  constructor(private readonly live: LiveService) {}

  send(tx: Tx, { row: { id, user_id }, at }: { row: SupportMessage; at: Instant }): void {
    this.live.send(tx, [{ userId: user_id ?? NOBODY, hint: { kind: 'support', id, version: at } }]);
  }
}
