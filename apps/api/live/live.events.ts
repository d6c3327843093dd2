import { type EventName, EVENTS } from '@moorage/contracts';
import { OnEvent, type ProductEvent } from '@moorage/runtime';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { hintsOf } from './hints';
import { LiveService } from './live.service';

@Injectable()
export class LiveEvents {
  constructor(private readonly live: LiveService) {}

  @OnEvent(...(Object.keys(EVENTS) as EventName[]))
  async hint(tx: Tx, event: ProductEvent<EventName>): Promise<void> {
    this.live.send(tx, hintsOf(event));
  }
}
