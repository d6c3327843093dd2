import { describe, expect, it } from '@jest/globals';
import { Money } from '../money';
import type { InstanceType } from './offer';
import { diskAfterResize, refusalToResize, resizeRules } from './resizing';

const size = (name: string, cpu: number, memoryGb: number, diskGb?: number): InstanceType => ({
  name,
  displayName: name,
  cpu,
  memoryGb,
  diskGb,
  hourlyCost: Money.of(0.01),
  available: true,
});
const CX23 = size('cx23', 2, 4, 40);
const CX33 = size('cx33', 4, 8, 80);
const PACKAGE = { name: 'Pangolin', needs: { cpu: 2, memory_gb: 4 } };
const hetzner = { provider: 'hetzner', from: CX23, to: CX33, diskGb: 40, package: PACKAGE };

describe('resizing a server', () => {
  it.each([
    ['to a larger size', hetzner, null],
    ['back to the smaller size, with the disk it had', { ...hetzner, from: CX33, to: CX23 }, null],
    ['to a larger size while the disk is unknown', { ...hetzner, diskGb: null }, null],
    [
      'to a size with a smaller disk where the disk is a volume of its own',
      { ...hetzner, provider: 'azure', from: CX33, to: CX23, diskGb: 80 },
      null,
    ],
    ['to a larger size where sizes only grow', { ...hetzner, provider: 'vultr' }, null],
    ['to its own size', { ...hetzner, to: CX23 }, 'resize.same_size'],
    ['to a size that is sold out', { ...hetzner, to: { ...CX33, available: false } }, 'resize.sold_out'],
    ['to a size below the requirements', { ...hetzner, to: size('cpx11', 2, 2, 40) }, 'order.size_memory'],
    [
      'back to the smaller size after the disk grew',
      { ...hetzner, from: CX33, to: CX23, diskGb: 80 },
      'resize.smaller_disk',
    ],
    [
      'to a smaller size where sizes only grow',
      { ...hetzner, provider: 'vultr', from: size('vc2-4c-8gb', 4, 8), to: size('vc2-2c-4gb', 2, 4), diskGb: null },
      'resize.only_larger',
    ],
    ['to another architecture', { ...hetzner, to: size('cax21', 4, 8, 80) }, 'resize.other_architecture'],
    ['of a customer', { ...hetzner, provider: 'byovps' }, 'resize.own_server'],
  ])('%s: %s', (_, request, code) => {
    expect(refusalToResize(request)?.code ?? null).toBe(code);
  });

  it.each([
    ['aws', 't3.medium', 't4g.medium'],
    ['aws', 'm7i-flex.large', 'c7gn.large'],
    ['azure', 'Standard_B2s', 'Standard_B2pts_v2'],
    ['gcp', 'e2-medium', 't2a-standard-2'],
    ['hetzner', 'cpx22', 'cax11'],
  ])('knows the Arm sizes of %s', (provider, x86, arm) => {
    const rules = resizeRules(provider);
    expect([rules?.arm?.test(x86), rules?.arm?.test(arm)]).toEqual([false, true]);
  });

  it.each([
    ['hetzner', false, 40],
    ['hetzner', true, 80],
    ['vultr', false, 80],
    ['aws', true, 40],
  ])('leaves a disk of %s, growing %s, with %d GB', (provider, grow, disk) => {
    expect(diskAfterResize({ provider, to: CX33, diskGb: 40, grow })).toBe(disk);
  });
});
