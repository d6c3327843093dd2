import { type EventName, EVENTS, type Hint, type Stream } from '@moorage/contracts';
import type { ProductEvent } from '@moorage/runtime';

/**
 * A hint and its recipient. Administrators also receive the hints of all deployments and conversations, which their
 * lists show.
 */
export interface AddressedHint {
  readonly userId: number;
  readonly hint: Hint;
}

/** Fields of any event that hints need. */
interface About {
  readonly sequence: number;
  readonly data: { readonly user_id: number };
}
interface AboutDeployment extends About {
  readonly data: { readonly user_id: number; readonly deployment_id: number };
}

const account = ({ sequence, data }: About): AddressedHint[] => [
  { userId: data.user_id, hint: { kind: 'account', id: data.user_id, version: sequence } },
];
const balance = ({ sequence, data }: About): AddressedHint[] => [
  { userId: data.user_id, hint: { kind: 'balance', id: data.user_id, version: sequence } },
];
const deployment = ({ sequence, data }: AboutDeployment): AddressedHint[] => [
  { userId: data.user_id, hint: { kind: 'deployment', id: data.deployment_id, version: sequence } },
];
const step = ({ sequence, data }: AboutDeployment): AddressedHint[] => [
  { userId: data.user_id, hint: { kind: 'step', id: data.deployment_id, version: sequence } },
];

type EventsOf<S extends Stream> = { [N in EventName]: (typeof EVENTS)[N]['stream'] extends S ? N : never }[EventName];

/** Hints of the events of each stream, unless `HINTS` has others. */
const HINTS_BY_STREAM: { readonly [S in Stream]: (event: ProductEvent<EventsOf<S>>) => AddressedHint[] } = {
  account,
  deployment,
  payment: balance,
  balance,
  // The writer of a message sends the hint.
  support: () => [],
};

const HINTS: { readonly [Name in EventName]?: (event: ProductEvent<Name>) => AddressedHint[] } = {
  'deployment.status_changed': (event) => [
    ...deployment({ ...event, sequence: event.data.version }),
    ...balance(event),
  ],
  'deployment.resized': (event) => [...deployment(event), ...balance(event)],
  // Both pages show it.
  'deployment.move_changed': (event) => [
    ...deployment(event),
    ...deployment({ ...event, data: { ...event.data, deployment_id: event.data.source_id } }),
  ],
  'deployment.step_progressed': step,
  'balance.grace_period_started': (event) => [...balance(event), ...deployment(event)],
  'balance.depleted': (event) => [...balance(event), ...deployment(event)],
};

/**
 * Returns the data that browsers reload after an event. The version is the event's position in its sequence. A change of
 * status has the version of the row.
 */
export function hintsOf(event: ProductEvent<EventName>): AddressedHint[] {
  const name = event.event_name as EventName;
  // The cast is safe, because the tables accept only functions that fit the data of their events.
  const hints = (HINTS[name] ?? HINTS_BY_STREAM[EVENTS[name].stream]) as (about: typeof event) => AddressedHint[];
  return hints(event);
}
