import type { EventName } from '@moorage/contracts';
import { OnEvent, type ProductEvent } from '@moorage/runtime';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { type AddressedHint, HINTS } from './hints';
import { LiveService } from './live.service';

@Injectable()
export class LiveEvents {
  constructor(private readonly live: LiveService) {}

  @OnEvent(...(Object.keys(HINTS) as EventName[]))
  async hint(tx: Tx, event: ProductEvent<EventName>): Promise<void> {
    // The cast is safe because `OnEvent` is given the names of the table, so name and data match.
    const hintsOf = HINTS[event.event_name as EventName] as (about: typeof event) => AddressedHint[];
    this.live.send(tx, hintsOf(event));
  }
}
