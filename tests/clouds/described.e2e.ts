import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PROVIDERS } from '@moorage/domain';
import {
  type Cloud,
  cloudSuite,
  EVERY_FAKE,
  LIVE_NAMES,
  type FakeCloud,
  fixtureClock,
  openLiveCloud,
  type SuiteFault,
} from '../services/provisioner/clouds';
import { parseSettings } from '@moorage/runtime';
import { seededRandom } from '@moorage/server';
import { type Described, described } from './prism';

const BOOT_MS = 20_000;
const PAGE = 3;
const LONG_MS = 180_000;
const clock = fixtureClock();
/** A clock that advances by the time that is waited for. */
const waiting = { ...clock, sleep: (ms: number) => Promise.resolve(void (clock.at += ms)) };

/** Faults that cannot pass through Prism (a cut connection, HTML pages, five megabytes). */
const NOT_THROUGH_PRISM: readonly SuiteFault[] = [
  'lost_answer',
  'garbled',
  'oversized',
  'forbidden_page',
  'absent_page',
];

const DESCRIBED = LIVE_NAMES.flatMap((name) => {
  const { description, ...row } = EVERY_FAKE[name];
  return description === null ? [] : [{ ...row, name, description, repeated: PROVIDERS[name].repeatedCreate }];
});

describe.each(DESCRIBED)(
  '$name according to its published API description',
  ({ name, description, region, repeated, ...row }) => {
    let between: Described | undefined;
    let fake: FakeCloud | undefined;
    let cloud: Cloud | null;

    beforeAll(async () => {
      between = await described(`tests/clouds/descriptions/${description}`);
    }, LONG_MS);
    beforeEach(async () => {
      const opened = await row.run({ now: () => clock.at, bootMs: BOOT_MS, page: PAGE });
      fake = opened.fake;
      between?.leadTo(fake.http.url);
      const settings = parseSettings({ ...opened.settings, [`${name.toUpperCase()}_BASE_URL`]: between?.url });
      cloud = openLiveCloud(name, settings, { random: seededRandom(39), clock: waiting });
    });
    afterEach(async () => {
      await fake?.http.close();
      expect(between?.violations()).toEqual([]);
    });
    afterAll(() => between?.close());

    const faults = row.faults.filter((fault) => !NOT_THROUGH_PRISM.includes(fault));
    const { larger, shrinks } = row;
    const traits = { faults, repeated, page: PAGE, larger, ...(shrinks === undefined ? {} : { shrinks }) };
    cloudSuite(`${name} through Prism`, traits, () => {
      if (cloud === null) throw new Error('it has no credentials');
      return Promise.resolve({
        cloud,
        region,
        instance_type: row.instance_type,
        ripen: () => Promise.resolve(void (clock.at += BOOT_MS)),
        fault: (call, fault, times) => Promise.resolve(fake?.fleet.plant(call, fault, times)),
      });
    });

    it('rejects requests that the description does not contain', async () => {
      const answer = await fetch(`${between?.url}/no-such-thing`);
      expect(answer.status).toBe(404);
      expect(between?.violations()).toHaveLength(1);
      expect(fake?.http.requests.map(({ path }) => path)).not.toContain('/no-such-thing');
    });
  },
);
