import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Api } from '@moorage/api';
import { buildApi } from '../services/api';
import { RUN_WORK, SERVER_CALLBACK_WORK } from '@moorage/contracts';
import { SECOND_MS } from '@moorage/domain';
import {
  crashPoints,
  type FixtureActor,
  fixturesOfSuite,
  type ProvisionerFixture,
  turn,
} from '../services/provisioner';
import { SILENT, systemRandom } from '@moorage/server';
import { parse } from 'yaml';
import { API_SETTINGS, NoNotices, wire } from '../simulation/processes';

const PUBLIC_URL = 'https://console.example.com';
/** Time after the order at which a server has booted. Booting takes 90 seconds. */
const BOOT_MS = 92 * SECOND_MS;

/**
 * Runs the real api and the real provisioner on one database, with a server that makes the call of its user data as it
 * boots.
 */
describe('new server that takes 90 seconds to boot', () => {
  const openFixture = fixturesOfSuite();
  let fixture: ProvisionerFixture;
  let api: Api;
  let actor: FixtureActor;
  let ordered: number;
  let id: number;

  beforeEach(async () => {
    fixture = await openFixture({ boot_ms: BOOT_MS });
    const parts = { clock: fixture.clock, random: systemRandom() };
    const db = await fixture.database.open({ service: 'api' });
    api = await buildApi(
      {
        ...wire('api', parts),
        ...parts,
        db,
        log: SILENT,
        settings: { ...API_SETTINGS, publicUrl: PUBLIC_URL },
        pgNotify: new NoNotices({ db, clock: fixture.clock }),
      },
      { checkAnswers: true },
    );
    actor = await fixture.actor({ options: { callbacksUrl: `${PUBLIC_URL}/api/webhooks/clouds` } });
    ordered = fixture.clock.at;
    id = await fixture.order();
    await turns();
  });
  afterEach(() => api.close());

  const turns = async (by = actor): Promise<void> => {
    while (await turn(by));
  };
  const nextCheck = async (): Promise<number> => {
    const [row] = await fixture.database.sql<{ at: number }>('select min(due_at) as at from work where kind = $1', [
      RUN_WORK,
    ]);
    return row?.at ?? Infinity;
  };
  const isReached = async (): Promise<boolean> => (await fixture.steps(id)).includes('wait-for-ssh done');

  /** Sends what the server sends at its first boot, as curl reads it from the file that cloud-init writes. */
  async function firstBoot(change = (token: string): string => token): Promise<unknown> {
    const { write_files: [file] = [] } = parse(fixture.memory.userDataOf('1')) as {
      write_files?: readonly { readonly content: string }[];
    };
    const read = (line: RegExp): string => line.exec(file?.content ?? '')?.[1] ?? '';
    const url = read(/^url = "(.*)"$/m);
    expect(url).toBe(`${PUBLIC_URL}/api/webhooks/clouds/hetzner`);
    const { statusCode, body } = await api.app.inject({
      method: 'POST',
      url: new URL(url).pathname,
      headers: {
        'moorage-first-boot': change(read(/^header = "Moorage-First-Boot: (.*)"$/m)),
        'content-type': read(/^header = "Content-Type: (.*)"$/m),
      },
      payload: '{}',
    });
    return [statusCode, body];
  }

  /** Waits until the first login, and returns the time it took. `boots` is called once, when the server has booted. */
  async function waited(boots: () => Promise<unknown>): Promise<number> {
    const booted = ordered + BOOT_MS;
    while (!(await isReached())) {
      const look = await nextCheck();
      const isBoot = fixture.clock.at < booted && booted <= look;
      fixture.clock.at = isBoot ? booted : look;
      if (isBoot) await boots();
      await turns();
    }
    return fixture.clock.at - ordered;
  }

  it('is reached as soon as it has booted because it calls back', async () => {
    expect(await waited(() => firstBoot())).toBe(92 * SECOND_MS);
    expect((await fixture.until(actor, id, 'READY')).failure_reason).toBeNull();
  });

  it('is reached at the next regular check when its call is lost', async () => {
    expect(await waited(() => Promise.resolve())).toBe(95 * SECOND_MS);
  });

  it('is reached at the next regular check when its call is forged', async () => {
    expect(await waited(() => firstBoot((token) => `${token.slice(0, -1)}!`))).toBe(95 * SECOND_MS);
  });

  it('is checked once more for a call that comes too early, and not again for a repeat', async () => {
    fixture.clock.at += SECOND_MS;
    expect(await firstBoot()).toEqual([200, '{"received":true}']);
    expect(await firstBoot()).toEqual([200, '{"received":true}']);
    await turns();
    const look = await nextCheck();
    fixture.clock.at += SECOND_MS;
    expect(await firstBoot()).toEqual([200, '{"received":true}']);
    await turns();
    expect(await nextCheck()).toBe(look);
    expect(await waited(() => firstBoot())).toBeGreaterThan(BOOT_MS);
  });

  it('is reached by the next process when the first one ends between response and work', async () => {
    const dying = await fixture.actor({ points: crashPoints((name) => name === 'work.claim.committed') });
    const reached = await waited(async () => {
      await firstBoot();
      await expect(dying.messaging.workTick(SERVER_CALLBACK_WORK)).rejects.toThrow();
      // As long as the work is leased to the process that has ended.
      fixture.clock.at += SECOND_MS;
    });
    expect(reached).toBe(93 * SECOND_MS);
  });
});
