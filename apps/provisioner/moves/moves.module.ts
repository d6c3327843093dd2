import { Module } from '@nestjs/common';
import { FollowMoves } from './follow-moves.service';
import { MoveEvents } from './move-events.service';

@Module({ providers: [FollowMoves, MoveEvents] })
export class ProvisionerMovesModule {}
