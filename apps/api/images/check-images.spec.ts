import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PackageFacts } from '@moorage/contracts';
import { Alerts, imageChecks } from '@moorage/database';
import { DAY_MS, HOUR_MS, instant } from '@moorage/domain';
import { type Db, SILENT } from '@moorage/server';
import { type HandClock, handClock, testDatabase, type TestDatabase } from '@moorage/testing';
import { packagesOf, readPackages } from '../catalogue/packages';
import { TEST_SETTINGS } from '@moorage/tests/services/api/api-harness';
import { CheckImages } from './check-images.use-case';
import { json, type TestRegistry, testRegistry } from '@moorage/tests/services/api/images';

const PANGOLIN = readPackages({ folder: 'infra/packages', production: false }).find('pangolin');
if (PANGOLIN === null) throw new Error('there is no package pangolin');
const facts: PackageFacts = PANGOLIN;

let database: TestDatabase;
let db: Db;
let clock: HandClock;
let server: TestRegistry;
beforeAll(async () => {
  database = await testDatabase();
  db = await database.open({ service: 'api' });
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.sql('truncate image_checks, operator_alerts, operator_checks');
  clock = handClock(instant('2026-11-30T04:40:00.000Z'));
  server = await testRegistry();
  server.repositories.set(
    'library/traefik',
    new Map([
      ['v3.7.12', 'a'],
      ['v3.7.14', 'b'],
    ]),
  );
  server.repositories.set('fosrl/pangolin', new Map([['1.24.0', 'c']]));
});
afterEach(() => server.close());

/** Pins of the first release, and of those after it. */
type Pins = Readonly<Record<string, string>>;
const pins = (traefik: string): Pins => ({ TRAEFIK_IMAGE: `${server.host}/library/traefik:${traefik}` });
const PINNED = (): readonly Pins[] => [
  { ...pins('v3.7.12'), PANGOLIN_IMAGE: `${server.host}/fosrl/pangolin:1.24.0`, BADGER_VERSION: 'v1.7.0' },
  pins('v3.7.14'),
];

async function check(pinned = PINNED(), { isOn = true, afterMs = DAY_MS } = {}): Promise<void> {
  const [first] = facts.releases;
  const releases = pinned.map(
    (each, n) => ({ ...first, version: `1.${n}.0`, pins: each }) as (typeof facts.releases)[0],
  );
  const packages = packagesOf([{ ...facts, releases }], { production: false });
  const alerts = new Alerts({ clock, log: SILENT });
  clock.at += afterMs;
  await new CheckImages(db, clock, SILENT, alerts, packages, { ...TEST_SETTINGS, checksImages: isOn }).run();
}
const alerts = () =>
  database.sql(
    `select kind || ' ' || subject as alert, facts from operator_alerts where resolved_at is null order by 1`,
  );
const checks = async () =>
  new Map((await db.tx('test.read', imageChecks)).map((row) => [row.image.slice(server.host.length + 1), row]));

describe('comparison of pinned images', () => {
  it('finds nothing to report while all pins are the newest', async () => {
    await check();
    expect(await alerts()).toEqual([]);
    expect([...(await checks()).keys()].sort()).toEqual([
      'fosrl/pangolin:1.24.0',
      'library/traefik:v3.7.12',
      'library/traefik:v3.7.14',
    ]);
    expect((await checks()).get('fosrl/pangolin:1.24.0')).toMatchObject({ checked_at: clock.at, newest: null });
  });

  it('reports a newer tag until a release pins it', async () => {
    server.repositories.get('library/traefik')?.set('v3.7.15', 'd').set('v3.8.0-rc.1', 'e');
    await check();
    const image = `${server.host}/library/traefik:v3.7.14`;
    expect(await alerts()).toEqual([
      { alert: 'image_newer pangolin TRAEFIK_IMAGE', facts: { image, newest: 'v3.7.15' } },
    ]);
    await check([...PINNED(), pins('v3.7.15')]);
    expect(await alerts()).toEqual([]);
  });

  it('reports a withdrawn tag after a second comparison, until it is found again', async () => {
    server.repositories.get('library/traefik')?.delete('v3.7.12');
    await check();
    await check(PINNED(), { afterMs: 2 * HOUR_MS });
    expect(await alerts()).toEqual([]);
    await check();
    expect(await alerts()).toEqual([
      {
        alert: 'image_withdrawn pangolin TRAEFIK_IMAGE',
        facts: {
          image: `${server.host}/library/traefik:v3.7.12`,
          version: '1.0.0',
          since: '2026-12-01T04:40:00.000Z',
        },
      },
    ]);
    server.repositories.get('library/traefik')?.set('v3.7.12', 'a');
    await check();
    expect(await alerts()).toEqual([]);
  });

  it.each([403, 429, 503])('reports nothing withdrawn while the registry returns %d', async (status) => {
    server.intercept = (_, response) => {
      json(response, status, {});
      return true;
    };
    for (let day = 0; day < 3; day++) await check();
    expect(await alerts()).toEqual([]);
    expect([...(await checks()).values()].map((row) => [row.is_unreachable, row.checked_at])).toEqual([
      [true, null],
      [true, null],
      [true, null],
    ]);
  });

  it('reports a tag that was pushed again, for a week', async () => {
    await check();
    server.repositories.get('fosrl/pangolin')?.set('1.24.0', 'other');
    await check();
    expect(await alerts()).toMatchObject([
      { alert: 'image_moved pangolin PANGOLIN_IMAGE', facts: { version: '1.1.0' } },
    ]);
    await check(PINNED(), { afterMs: 7 * DAY_MS });
    expect(await alerts()).toEqual([]);
  });

  it('forgets images that are no longer pinned', async () => {
    await check();
    await check([pins('v3.7.14')]);
    expect([...(await checks()).keys()]).toEqual(['library/traefik:v3.7.14']);
  });

  it('is made by one of several processes', async () => {
    await check();
    const before = server.requests.length;
    await check(PINNED(), { afterMs: 1_000 });
    expect(server.requests).toHaveLength(before);
  });

  it('sends no requests and ends its alerts if it is off', async () => {
    server.repositories.get('library/traefik')?.set('v3.7.15', 'd');
    await check();
    const before = server.requests.length;
    await check(PINNED(), { isOn: false });
    expect([server.requests.length, await alerts(), (await checks()).size]).toEqual([before, [], 0]);
  });
});
