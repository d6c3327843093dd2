import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LIVE_NAMES, openFake, type OpenFake } from '@moorage/tests/fakes/clouds/every-fake';
import { type FixtureClock, fixtureClock } from '@moorage/tests/services/provisioner/fixture-clock';
import { serverName, type ServerPlace } from '../cloud';
import { OPEN_RULES } from './open-ports';

const OURS = OPEN_RULES.map(({ protocol, port }) => `${protocol} ${port}`).sort();
/** Exceeds the number of requests for a repair of two servers. */
const REQUESTS_MAX = 40;

describe.each(LIVE_NAMES)('firewalls of servers at %s', (name) => {
  let clock: FixtureClock;
  let fake: OpenFake;
  let places: ServerPlace[];
  const order = (ref: string) => {
    const { region, instance_type } = fake;
    const labels = { 'managed-by': 'moorage', installation: 'i', deployment: ref } as const;
    return { name: serverName(ref), region, instance_type, user_data: '#cloud-config\n{}', labels };
  };
  const open = async () => {
    clock = fixtureClock();
    fake = await openFake(name, clock);
    const createdServer = [await fake.cloud.create(order('a'), 'a-1'), await fake.cloud.create(order('b'), 'b-1')];
    clock.at += 60_000;
    places = createdServer.map(({ region, id }) => ({ region, id }));
  };
  beforeEach(open);
  afterEach(() => fake.http.close());

  /** Returns our rules that are not applied to some server. */
  const missing = (): string[] =>
    fake.fleet.living().flatMap((server) => OURS.filter((rule) => !fake.rules.openTo(server).includes(rule)));
  const repair = () => fake.cloud.repairRules(places);
  /** Ends the process after each number of requests in turn, until it succeeds. */
  const interrupted = async (act: () => Promise<unknown>, after: () => Promise<void>): Promise<number> => {
    for (let requests = 0; requests < REQUESTS_MAX; requests += 1) {
      fake.http.cutAfter(requests);
      const isDone = await act().then(
        () => true,
        () => false,
      );
      fake.http.cutAfter(Infinity);
      await after();
      if (isDone) return requests;
    }
    throw new Error('it never gets through');
  };

  it('are correct after the orders, and a check repairs nothing', async () => {
    expect(missing()).toEqual([]);
    const before = fake.http.requests.length;
    expect(await repair()).toEqual([]);
    const sent = fake.http.requests.slice(before).filter(({ path }) => path !== '/' && path !== '/token');
    expect(sent.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it.each(['remove', 'narrow'] as const)('are complete after a check following manual changes (%s)', async (what) => {
    fake.rules[what]();
    expect(missing()).not.toEqual([]);
    expect(await repair()).not.toEqual([]);
    expect(missing()).toEqual([]);
    expect(await repair()).toEqual([]);
  });

  it.each(['repair', 'order'] as const)(
    'keep all our rules during a repair, even if the process ends at any point (%s)',
    async (what) => {
      const act = what === 'repair' ? repair : () => fake.cloud.create(order(`c${clock.at++}`), `c-${clock.at}`);
      const requests = await interrupted(
        () => {
          fake.rules.widen();
          return act();
        },
        () => {
          expect(missing()).toEqual([]);
          return Promise.resolve();
        },
      );
      expect(requests).toBeGreaterThan(0);
    },
  );

  it.each(['remove', 'narrow'] as const)(
    'are complete after the next check, wherever a repair ended before (%s)',
    async (what) => {
      await interrupted(
        async () => {
          fake.rules[what]();
          await repair();
        },
        async () => {
          await repair();
          expect(missing()).toEqual([]);
        },
      );
    },
  );

  it.each(['remove', 'narrow'] as const)(
    'are complete after the next check, wherever an order ended before (%s)',
    async (what) => {
      let orders = 0;
      await interrupted(
        async () => {
          fake.rules[what]();
          orders += 1;
          await fake.cloud.create(order(`d${orders}`), `d${orders}-1`);
        },
        async () => {
          places = fake.fleet.living().map(({ id, name: known, region }) => placeAt({ id, name: known, region }));
          await repair();
          expect(missing()).toEqual([]);
        },
      );
    },
  );

  const placeAt = ({ id, name: known, region }: ServerPlace & { name: string }): ServerPlace =>
    name === 'azure' ? { region, id: known } : { region, id };
});
