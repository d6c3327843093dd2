import { describe, expect, it } from '@jest/globals';
import {
  cloudMix,
  cloudSetup,
  hasSandbox,
  isOffered,
  isSimulated,
  offeredProviders,
  type ProviderMode,
  providerMode,
} from './cloud-setup';
import { CLOUD_NAMES } from './providers';

const sandbox = cloudSetup({ sandbox: true, chosen: {}, withCredentials: [] });
const live = cloudSetup({ sandbox: false, chosen: {}, withCredentials: ['hetzner'] });
const mixed = cloudSetup({
  sandbox: true,
  chosen: { aws: 'off', hetzner: 'live', vultr: 'live', linode: 'simulated' },
  withCredentials: ['hetzner'],
});

describe('how a provider is run', () => {
  it('follows the default of the installation where nothing is said of it', () => {
    expect(CLOUD_NAMES.map((name) => providerMode(sandbox, name))).toEqual(CLOUD_NAMES.map(() => 'simulated'));
    expect(providerMode(live, 'hetzner')).toBe('live');
    expect(providerMode(live, 'aws')).toBe('off');
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
  ])('%s is %s where some are chosen', (provider, mode) => {
    expect(providerMode(mixed, provider)).toBe(mode);
  });

  it('a live one without credentials, and one that is off, are not offered', () => {
    expect(isOffered(mixed, 'vultr')).toBe(false);
    expect(isOffered(mixed, 'aws')).toBe(false);
    expect(offeredProviders(mixed)).toEqual(['azure', 'gcp', 'digitalocean', 'hetzner', 'linode']);
  });

  it('only new servers of simulated providers are simulated', () => {
    expect(isSimulated(mixed, { server_type: 'new', cloud_provider: 'linode' })).toBe(true);
    expect(isSimulated(mixed, { server_type: 'new', cloud_provider: 'hetzner' })).toBe(false);
    expect(isSimulated(sandbox, { server_type: 'vps', cloud_provider: null })).toBe(false);
    expect([sandbox, mixed, live].map(hasSandbox)).toEqual([true, true, false]);
    expect([sandbox, mixed, live].map(cloudMix)).toEqual(['sandbox', 'mixed', 'live']);
  });
});
