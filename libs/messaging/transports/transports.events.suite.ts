import { describe, expect, it } from '@jest/globals';
import { boat, failingAt, type TransportFixture, until, upTo } from '../testing';
import type { Envelope, EventHandlers } from '../types';

/** Required behaviour of events on any event transport. */
export function eventSituations({ own, start, noting, effects, sql, interrupt }: TransportFixture): void {
  describe('events', () => {
    it('deliver the whole envelope to every service that reads the stream, and to no other', async () => {
      const got: Record<string, Envelope[]> = { api: [], billing: [], provisioner: [] };
      const keeping = (service: string): EventHandlers => ({
        'boat.moved': async (_tx, envelope) => void got[service]?.push(envelope),
      });
      const { append } = await start('api', { handlers: keeping('api') });
      await start('billing', { handlers: keeping('billing') });
      await start('provisioner', { handlers: keeping('provisioner') });
      const data = { text: 'Grüße, "Ω" \\ \n\u2028', large: 'ä'.repeat(100_000), none: null, list: [1, { a: 0.5 }] };
      await append({ ...boat(own('a'), 0), data, correlation_id: 'request-1' });
      await until(() => got.api?.length === 1 && got.billing?.length === 1);
      const [row] = await sql<{ event_id: string; occurred_at: number }>(
        'select event_id, occurred_at from outbox where aggregate_id = $1',
        [own('a')],
      );
      const expected: Envelope = {
        event_id: row?.event_id ?? '',
        stream: 'boat',
        event_name: 'boat.moved',
        version: 1,
        occurred_at: new Date(row?.occurred_at ?? 0).toISOString(),
        aggregate_id: own('a'),
        sequence: 1,
        correlation_id: 'request-1',
        data,
      };
      expect(got).toEqual({ api: [expected], billing: [expected], provisioner: [] });
    });

    it('are handled in order and once by two processes of one service with two relays', async () => {
      const first = await start('billing one');
      const second = await start('billing two');
      const boats = upTo(8).map((n) => own(`b${n}`));
      await Promise.all(
        [first, second, first, second].map(async ({ append }) => {
          for (let n = 0; n < 25; n++) await append(...boats.map((id) => boat(id, n)));
        }),
      );
      for (const id of boats) {
        await until(async () => (await effects('billing', id)).length >= 100);
        expect(await effects('billing', id)).toEqual(upTo(100));
      }
    });

    it.each(['inbox.drain.handled', 'inbox.drain.committed', 'relay.publish.sent', 'relay.publish.committed'])(
      'have their effect once when the process dies at %s',
      async (place) => {
        const checkpoints = failingAt(place, 2);
        const { append } = await start('billing', { checkpoints });
        for (let n = 1; n <= 3; n++) {
          await append(boat(own('c'), n));
          await until(async () => (await effects('billing', own('c'))).length >= n);
        }
        expect(checkpoints.failed()).toBe(true);
        expect(await effects('billing', own('c'))).toEqual([1, 2, 3]);
      },
    );

    it('have their effect once when the transport delivers them three times', async () => {
      const { append, transports } = await start('billing');
      await append(boat(own('d'), 0), boat(own('d'), 1));
      await until(async () => (await effects('billing', own('d'))).length === 2);
      const envelopes = await sql<{ envelope: Envelope }>(
        'select envelope from inbox where aggregate_id = $1 order by sequence desc',
        [own('d')],
      );
      for (let times = 0; times < 3; times++) await transports.events.publish(envelopes.map((row) => row.envelope));
      await append(boat(own('d'), 2));
      await until(async () => (await effects('billing', own('d'))).length >= 3);
      expect(await effects('billing', own('d'))).toEqual([1, 2, 3]);
    });

    it('are delivered again if their arrival could not be stored', async () => {
      const checkpoints = failingAt('inbox.arrive');
      const { append } = await start('billing', { checkpoints });
      await append(boat(own('e'), 0));
      await until(async () => (await effects('billing', own('e'))).length === 1);
      expect(checkpoints.failed()).toBe(true);
    });

    it('wait for a service that is not running', async () => {
      const api = await start('api');
      await api.append(...upTo(30).map((n) => boat(own('f'), n)));
      await until(async () => (await effects('api', own('f'))).length === 30);
      await start('billing');
      await until(async () => (await effects('billing', own('f'))).length === 30);
      expect(await effects('billing', own('f'))).toEqual(upTo(30));
    });

    it('pass an aggregate whose first event fails', async () => {
      const poison = own('poison');
      const handlers: EventHandlers = {
        'boat.moved': async (tx, envelope) => {
          if (envelope.aggregate_id === poison) throw new Error('never');
          await noting('billing')['boat.moved']?.(tx, envelope);
        },
      };
      const { append } = await start('billing', { handlers });
      await append(...upTo(5).map((n) => boat(poison, n)));
      await append(...upTo(5).map((n) => boat(own('g'), n)));
      await until(async () => (await effects('billing', own('g'))).length === 5);
      expect(await effects('billing', poison)).toEqual([]);
    });

    it('continue after a broken connection', async () => {
      const { append } = await start('billing');
      await append(boat(own('h'), 0));
      await until(async () => (await effects('billing', own('h'))).length === 1);
      await interrupt();
      await until(() =>
        append(boat(own('h'), 1)).then(
          () => true,
          () => false,
        ),
      );
      await until(async () => (await effects('billing', own('h'))).length >= 2);
      expect(await effects('billing', own('h'))).toEqual([1, 2]);
    });
  });
}
