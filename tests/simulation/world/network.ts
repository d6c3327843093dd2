import { type Envelope, type EventTransport, type WorkTransport, WITH_THE_DATABASE } from '@moorage/messaging';
import type { Random } from '@moorage/server';

/**
 * The network between the services, with the envelopes on their way to each consumer. They arrive in any order, some
 * twice and some never, which is all that a transport may do to them.
 */
export interface Network {
  /** Sending side for relays. Publishing may be rejected although part of the batch is already on its way. */
  readonly events: EventTransport;
  /** Transport of work that drops every signal, so workers have to poll. */
  readonly work: WorkTransport;
  /** Removes up to `count` randomly chosen envelopes for the consumer from the network. */
  take(consumer: string, count: number): Envelope[];
  /** Number of envelopes on their way to any consumer. */
  readonly under_way: number;
  /** Ends all faults. Everything arrives once, and nothing is rejected. */
  heal(): void;
}

export interface NetworkFaults {
  /** Probabilities per envelope or per batch. */
  readonly lost: number;
  readonly doubled: number;
  readonly refused: number;
}

export function createNetwork({
  random,
  subscriptions,
  faults,
  note = () => undefined,
}: {
  random: Random;
  subscriptions: Readonly<Record<string, readonly string[]>>;
  faults: NetworkFaults;
  /** Called for each envelope (or batch) that met this fault. */
  note?: (what: 'lost' | 'doubled' | 'refused' | 'reordered') => void;
}): Network {
  const parcels = new Map<string, Envelope[]>(Object.keys(subscriptions).map((consumer) => [consumer, []]));
  let broken = true;
  const happens = (what: keyof NetworkFaults): boolean => {
    const hit = random.fraction() < faults[what] && broken;
    if (hit) note(what);
    return hit;
  };
  const same = (a: Envelope | undefined, b: Envelope | undefined): boolean =>
    a?.stream === b?.stream && a?.aggregate_id === b?.aggregate_id;

  return {
    events: {
      async publish(batch) {
        const refused = happens('refused');
        const sent = refused ? batch.slice(0, Math.floor(random.fraction() * batch.length)) : batch;
        for (const envelope of sent) {
          for (const [consumer, streams] of Object.entries(subscriptions)) {
            if (!streams.includes(envelope.stream) || happens('lost')) continue;
            parcels.get(consumer)?.push(envelope);
          }
        }
        if (refused) throw new Error('the broker does not answer');
      },
      subscribe: () => Promise.reject(new Error('in the world the network is delivered by hand')),
      health: () => WITH_THE_DATABASE,
      close: () => Promise.resolve(),
    },
    work: {
      signal: () => Promise.resolve(),
      listen: () => Promise.reject(new Error('in the world work is ticked by hand')),
      health: () => WITH_THE_DATABASE,
      close: () => Promise.resolve(),
    },
    take(consumer, count) {
      const waiting = parcels.get(consumer) ?? [];
      const taken: Envelope[] = [];
      while (taken.length < count && waiting.length > 0) {
        const index = broken ? Math.floor(random.fraction() * waiting.length) : 0;
        if (waiting.slice(0, index).some((earlier) => same(earlier, waiting[index]))) note('reordered');
        const [envelope] = happens('doubled') ? [waiting[index]] : waiting.splice(index, 1);
        if (envelope !== undefined) taken.push(envelope);
      }
      return taken;
    },
    get under_way() {
      return [...parcels.values()].reduce((sum, waiting) => sum + waiting.length, 0);
    },
    heal() {
      broken = false;
    },
  };
}
