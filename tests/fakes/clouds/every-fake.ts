import type { LiveName } from '@moorage/domain';
import { parseSettings } from '@moorage/runtime';
import { seededRandom } from '@moorage/server';
import type { Cloud } from '@moorage/provisioner/clouds/cloud';
import { openLiveCloud } from '@moorage/provisioner/clouds/live/live-clouds';
import type { FixtureClock } from '../../services/provisioner/fixture-clock';
import { AZURE } from './fake-azure';
import { DIGITALOCEAN } from './fake-digitalocean';
import { AWS } from './fake-ec2';
import { GCP } from './fake-gcp';
import { HETZNER } from './fake-hetzner';
import { LINODE } from './fake-linode';
import { VULTR } from './fake-vultr';
import type { LiveFake, RunningFake } from './live-fake';

export const EVERY_FAKE: Readonly<Record<LiveName, LiveFake>> = {
  aws: AWS,
  azure: AZURE,
  gcp: GCP,
  digitalocean: DIGITALOCEAN,
  hetzner: HETZNER,
  linode: LINODE,
  vultr: VULTR,
};

export const LIVE_NAMES = Object.keys(EVERY_FAKE) as readonly LiveName[];

type Fake = RunningFake['fake'];
/** A live cloud connected to its fake. */
export type OpenFake = Fake &
  Pick<LiveFake, 'region' | 'instance_type'> &
  Pick<RunningFake, 'rules' | 'showPart'> & { readonly cloud: Cloud };

const BOOT_MS = 20_000;

/** Runs the fake of a provider and opens the adapter on it. */
export async function openFake(
  name: LiveName,
  clock: FixtureClock,
  { page = 50 }: { readonly page?: number } = {},
): Promise<OpenFake> {
  const { region, instance_type, run } = EVERY_FAKE[name];
  const { fake, settings, rules, showPart } = await run({ now: () => clock.at, bootMs: BOOT_MS, page });
  const parts = { random: seededRandom(39), clock: waiting(clock) };
  const cloud = openLiveCloud(name, parseSettings(settings), parts);
  if (cloud === null) throw new Error(`the settings contain no credentials of ${name}`);
  return { ...fake, cloud, region, instance_type, rules, ...(showPart === undefined ? {} : { showPart }) };
}

/** Returns a clock that advances by the time waited for. */
const waiting = (clock: FixtureClock): FixtureClock =>
  Object.assign(Object.create(clock) as FixtureClock, {
    sleep: (ms: number) => Promise.resolve(void (clock.at += ms)),
  });
