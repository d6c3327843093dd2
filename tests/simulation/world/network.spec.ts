import { describe, expect, it } from '@jest/globals';
import type { Envelope } from '@moorage/messaging';
import { seededRandom } from '@moorage/server';
import { createNetwork, type NetworkFaults } from './network';

const envelope = (sequence: number): Envelope => ({
  event_id: `e${sequence}`,
  stream: 'deployment',
  event_name: 'deployment.created',
  version: 1,
  occurred_at: '2026-12-01T00:00:00.000Z',
  aggregate_id: '1',
  sequence,
  correlation_id: 'c',
  data: {},
});
const hundred = Array.from({ length: 100 }, (_, index) => envelope(index + 1));
const network = (faults: Partial<NetworkFaults>) =>
  createNetwork({
    random: seededRandom(5),
    subscriptions: { billing: ['deployment'], mail: ['account'] },
    faults: { lost: 0, doubled: 0, refused: 0, ...faults },
  });

describe('simulated network', () => {
  it('delivers every envelope to the readers of its stream only, out of order', async () => {
    const net = network({});
    await net.events.publish(hundred);
    const arrived = net.take('billing', 1_000).map(({ sequence }) => sequence);
    expect([...arrived].sort((a, b) => a - b)).toEqual(hundred.map(({ sequence }) => sequence));
    expect(arrived).not.toEqual(hundred.map(({ sequence }) => sequence));
    expect(net.take('mail', 10)).toEqual([]);
    expect(net.under_way).toBe(0);
  });

  it('loses some, duplicates some, and rejects a batch of which a part was delivered', async () => {
    const lossy = network({ lost: 0.3 });
    await lossy.events.publish(hundred);
    expect(lossy.under_way).toBeLessThan(90);
    const doubling = network({ doubled: 0.3 });
    await doubling.events.publish(hundred);
    const twice = doubling.take('billing', 1_000);
    expect(twice.length).toBeGreaterThan(110);
    const refusing = network({ refused: 1 });
    await expect(refusing.events.publish(hundred)).rejects.toThrow('does not answer');
    expect(refusing.under_way).toBeGreaterThan(0);
    expect(refusing.under_way).toBeLessThan(100);
  });

  it('reports its faults', async () => {
    const reported: string[] = [];
    const net = createNetwork({
      random: seededRandom(5),
      subscriptions: { billing: ['deployment'] },
      faults: { lost: 0.3, doubled: 0.3, refused: 0 },
      note: (what) => reported.push(what),
    });
    await net.events.publish(hundred);
    net.take('billing', 1_000);
    expect([...new Set(reported)].sort()).toEqual(['doubled', 'lost', 'reordered']);
  });

  it('has no faults once it is healed', async () => {
    const net = network({ lost: 1, doubled: 1, refused: 1 });
    net.heal();
    await net.events.publish(hundred);
    expect(net.take('billing', 1_000).map(({ sequence }) => sequence)).toEqual(hundred.map(({ sequence }) => sequence));
  });
});
