import { OnEvent } from '@moorage/runtime';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { FollowMoves } from './follow-moves.service';

@Injectable()
export class MoveEvents {
  constructor(private readonly following: FollowMoves) {}

  @OnEvent('deployment.status_changed', 'deployment.deletion_requested')
  async changed(tx: Tx, { data }: { readonly data: { readonly deployment_id: number } }): Promise<void> {
    await this.following.follow(tx, data.deployment_id);
  }
}
