import type { EventData, EventName, EVENTS } from '@moorage/contracts';
import type { Envelope, EventHandlers } from '@moorage/messaging';

/** An event of the product as its handler receives it, with parsed data. */
export type ProductEvent<Name extends EventName> = Envelope<EventData<Name>>;

/** A service's handlers by event name. */
export type ProductEventHandlers = EventHandlers<typeof EVENTS>;
