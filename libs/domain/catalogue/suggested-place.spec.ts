import { describe, expect, it } from '@jest/globals';
import { Money } from '../money';
import { builtInCatalogue, catalogueOf } from './catalogue';
import type { InstanceType } from './offer';
import type { CloudName } from './providers';
import { suggestedPlace } from './suggested-place';

const NEEDS = { requires: { cpu: 1, memory_gb: 2 }, recommended: { cpu: 2, memory_gb: 4 } };

const size = (name: string, hourly: number, change: Partial<InstanceType> = {}): InstanceType => ({
  ...{ name, displayName: name.toUpperCase(), cpu: 2, memoryGb: 4, hourlyCost: Money.of(hourly), available: true },
  ...change,
});

/** A catalogue with one region per row. */
const catalogue = (...rows: [provider: CloudName, country: string, ...sizes: InstanceType[]][]) =>
  catalogueOf(
    [...new Set(rows.map(([provider]) => provider))].map((provider) => ({
      provider,
      regions: rows
        .filter(([name]) => name === provider)
        .map(([, countryCode, ...instanceTypes]) => ({
          name: `${provider}-${countryCode}`,
          displayName: countryCode,
          countryCode,
          instanceTypes,
        })),
    })),
  );

const suggest = (from: ReturnType<typeof catalogue>, zone = 'Europe/Berlin') => {
  const found = suggestedPlace(from, NEEDS, zone);
  return found === null ? null : `${found.region.name} ${found.type.name}${found.near ? '' : ' (far)'}`;
};

describe('the suggested place', () => {
  it('is the cheapest near the visitor, of all providers', () => {
    const offers = catalogue(
      ['aws', 'de', size('medium', 0.05)],
      ['hetzner', 'fi', size('cpx22', 0.02)],
      ['vultr', 'us', size('vc2', 0.01)],
      ['vultr', 'in', size('vc2', 0.015)],
    );
    expect(suggest(offers)).toBe('hetzner-fi cpx22');
    expect(suggest(offers, 'America/New_York')).toBe('vultr-us vc2');
    expect(suggest(offers, 'Asia/Kolkata')).toBe('vultr-in vc2');
  });

  it('is in the nearest area with a server when there is none near', () => {
    const offers = catalogue(['vultr', 'us', size('vc2', 0.01)], ['hetzner', 'sg', size('cpx22', 0.04)]);
    expect(suggest(offers, 'Australia/Sydney')).toBe('hetzner-sg cpx22 (far)');
    expect(suggest(offers, 'Africa/Nairobi')).toBe('vultr-us vc2 (far)');
  });

  it.each(['UTC', '', 'Etc/GMT+3', 'Mars/Olympus'])('is the cheapest anywhere for the time zone %p', (zone) => {
    expect(suggest(catalogue(['hetzner', 'de', size('a', 0.02)], ['vultr', 'us', size('b', 0.01)]), zone)).toBe(
      'vultr-us b (far)',
    );
  });

  it('is never sold out, and never a size that often is', () => {
    const offers = catalogue([
      'hetzner',
      'de',
      size('cx23', 0.01, { displayName: 'CX23 (often sold out)' }),
      size('cx32', 0.02, { available: false }),
      size('cpx22', 0.03),
    ]);
    expect(suggest(offers)).toBe('hetzner-de cpx22');
    expect(suggest(catalogue(['hetzner', 'de', size('x', 0.01, { displayName: 'X (often sold out)' })]))).toBeNull();
  });

  it('meets the recommendation, and otherwise the minimum', () => {
    const small = size('small', 0.01, { cpu: 1, memoryGb: 2 });
    expect(suggest(catalogue(['vultr', 'de', small], ['hetzner', 'de', size('cpx22', 0.03)]))).toBe('hetzner-de cpx22');
    expect(suggest(catalogue(['vultr', 'de', small]))).toBe('vultr-de small');
    expect(suggest(catalogue(['vultr', 'de', size('tiny', 0.01, { memoryGb: 1 })]))).toBeNull();
  });

  it('is found in the built-in catalogue from every time zone', () => {
    const far = Intl.supportedValuesOf('timeZone').filter((zone) => {
      const place = suggestedPlace(builtInCatalogue(), NEEDS, zone);
      expect(place).not.toBeNull();
      return place?.near === false;
    });
    expect(far.filter((zone) => !/^(Africa|America|Asia|Atlantic|Indian|Pacific|Etc|UTC)/.test(zone))).toEqual([]);
    expect(far).not.toContain('America/Chicago');
    expect(far).not.toContain('Asia/Kolkata');
    expect(far).not.toContain('Asia/Tokyo');
  });
});
