import { describe, expect, it } from '@jest/globals';
import { cloudSetup, isSimulated, simulatedOwnServers } from '../catalogue/cloud-setup';
import { guardAddress } from './address-guard';
import { isSimulatedOwnServer, simulatedOwnAddress } from './simulated-servers';

const SANDBOX = cloudSetup({ sandbox: true, chosen: {} });
const MIXED = cloudSetup({ sandbox: true, chosen: { hetzner: 'live' } });
const LIVE = cloudSetup({ sandbox: false, chosen: {} });

describe("simulated customer's own servers", () => {
  it.each([
    ['198.19.127.255', false],
    ['198.19.128.0', true],
    ['198.19.255.255', true],
    ['198.20.0.0', false],
    ['5.9.0.1', false],
    ['198.19.128', false],
    [null, false],
  ])('knows whether %s is one', (address, expected) => {
    expect(isSimulatedOwnServer(address)).toBe(expected);
  });

  it.each([
    [0, '198.19.128.1'],
    [0.5, '198.19.192.0'],
    [0.999999999, '198.19.255.254'],
  ])('suggests an address for %d', (random, expected) => {
    expect(simulatedOwnAddress(random)).toBe(expected);
    expect(isSimulatedOwnServer(expected)).toBe(true);
  });

  it.each([
    ['sandbox', SANDBOX, true],
    ['mixed', MIXED, false],
    ['live', LIVE, false],
  ])('accepts them where everything is simulated (%s)', (_mix, setup, expected) => {
    expect(guardAddress('198.19.200.7', simulatedOwnServers(setup)).ok).toBe(expected);
    const place = { server_type: 'vps', cloud_provider: null, vps_ip_address: '198.19.200.7' } as const;
    expect(isSimulated(setup, place)).toBe(expected);
  });

  it('does not take other own servers for simulated', () => {
    expect(isSimulated(SANDBOX, { server_type: 'vps', cloud_provider: null, vps_ip_address: '5.9.0.1' })).toBe(false);
    expect(isSimulated(SANDBOX, { server_type: 'vps', cloud_provider: null })).toBe(false);
    expect(guardAddress('198.18.0.1', simulatedOwnServers(SANDBOX)).ok).toBe(false);
  });
});
