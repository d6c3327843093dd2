import { describe, expect, it } from '@jest/globals';
import {
  cloudMix,
  cloudSetup,
  hasSandbox,
  isSimulated,
  marginAt,
  offeredProviders,
  type ProviderMode,
  providerMode,
} from './cloud-setup';
import { CLOUD_NAMES } from './providers';

const sandbox = cloudSetup({ sandbox: true, chosen: {} });
const live = cloudSetup({ sandbox: false, chosen: {} });
const mixed = cloudSetup({
  sandbox: true,
  chosen: { aws: 'off', hetzner: 'live', vultr: 'live', linode: 'simulated' },
});

describe('provider mode', () => {
  it('follows the default of the installation without a setting of its own', () => {
    expect(CLOUD_NAMES.map((name) => providerMode(sandbox, name))).toEqual(CLOUD_NAMES.map(() => 'simulated'));
    expect(CLOUD_NAMES.map((name) => providerMode(live, name))).toEqual(CLOUD_NAMES.map(() => 'live'));
  });

  it.each<[string | null, ProviderMode]>([
    ['aws', 'off'],
    ['hetzner', 'live'],
    ['vultr', 'live'],
    ['linode', 'simulated'],
    ['gcp', 'simulated'],
    ['nowhere', 'off'],
    ['constructor', 'off'],
    [null, 'off'],
  ])('%s is %s if some are selected', (provider, mode) => {
    expect(providerMode(mixed, provider)).toBe(mode);
  });

  it('offers no live provider with unverified credentials and no disabled provider', () => {
    const offered = CLOUD_NAMES.filter((name) => name !== 'aws' && name !== 'vultr');
    expect(offeredProviders(mixed, ['hetzner', 'aws'])).toEqual(offered);
    expect(offeredProviders(live, [])).toEqual([]);
  });

  it('adds a margin only for live providers', () => {
    const margin = { percent: 12, minHourlyUsd: 0.001 };
    const setup = cloudSetup({
      sandbox: true,
      chosen: { hetzner: 'live', vultr: 'live' },
      margins: { hetzner: margin, linode: margin },
    });
    const none = { percent: 0, minHourlyUsd: 0 };
    expect((['hetzner', 'vultr', 'linode'] as const).map((name) => marginAt(setup, name))).toEqual([
      margin,
      none,
      none,
    ]);
  });

  it('simulates only new servers of simulated providers', () => {
    expect(isSimulated(mixed, { server_type: 'new', cloud_provider: 'linode' })).toBe(true);
    expect(isSimulated(mixed, { server_type: 'new', cloud_provider: 'hetzner' })).toBe(false);
    expect(isSimulated(sandbox, { server_type: 'vps', cloud_provider: null })).toBe(false);
    expect([sandbox, mixed, live].map(hasSandbox)).toEqual([true, true, false]);
    expect([sandbox, mixed, live].map(cloudMix)).toEqual(['sandbox', 'mixed', 'live']);
  });
});
