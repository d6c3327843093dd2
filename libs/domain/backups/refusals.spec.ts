import { describe, expect, it } from '@jest/globals';
import {
  type BackedUp,
  refusalOfCopy,
  refusalOfDisk,
  refusalOfPlace,
  refusalToBackUp,
  refusalToRestore,
  refusalToUndo,
} from './refusals';

const READY: BackedUp = {
  mode: 'real',
  level: 2,
  status: 'READY',
  desired: 'running',
  isBeingBackedUp: false,
  isBeingCopied: false,
  isBeingRestored: false,
  copiesIn: 'real',
};
const code = (refusal: { readonly code: string } | null): string | null => refusal?.code ?? null;

describe('permitted backup actions of a deployment', () => {
  it.each<[string, Partial<BackedUp>, backup: string | null, restore: string | null]>([
    ['it runs', {}, null, null],
    ['it has no domain', { status: 'ACTIVE' }, null, null],
    ['a backup is running', { isBeingBackedUp: true }, 'backup.already', null],
    [
      'its data is being replaced',
      { status: 'RESTARTING', isBeingRestored: true },
      'backup.not_running',
      'backup.restoring',
    ],
    ['its records are missing', { status: 'DNS_FAILED' }, null, 'backup.restore_needs_running'],
    ['it is being built', { status: 'PROVISIONING' }, 'backup.not_running', 'backup.restore_needs_running'],
    ['it is to be destroyed', { desired: 'destroyed' }, 'backup.not_running', 'backup.restore_needs_running'],
    ['its level no longer includes backups', { level: 1 }, 'backup.level', null],
    ['there is no target', { mode: 'off' }, 'backup.off', 'backup.off'],
    ['it was never backed up', { copiesIn: null }, null, null],
    ['its copies are simulated but the deployment is not', { copiesIn: 'simulated' }, null, 'backup.simulated_copy'],
  ])('if %s', (_, change, backup, restore) => {
    const deployment = { ...READY, ...change };
    expect([code(refusalToBackUp(deployment)), code(refusalToRestore(deployment))]).toEqual([backup, restore]);
  });
});

describe('restore', () => {
  it.each<[string, Parameters<typeof refusalToUndo>[1], Partial<BackedUp>, string | null]>([
    ['that is done can be undone', { state: 'done', undo_until: 1_001 }, {}, null],
    ['cannot be undone after the deadline', { state: 'done', undo_until: 1_000 }, {}, 'backup.undo_over'],
    ['cannot be undone once the previous data is gone', { state: 'done', undo_until: null }, {}, 'backup.undo_over'],
    ['cannot be undone twice', { state: 'undone', undo_until: null }, {}, 'backup.nothing_to_undo'],
    ['cannot be undone if there was none', null, {}, 'backup.nothing_to_undo'],
    [
      'cannot be undone while another one runs',
      { state: 'done', undo_until: 1_001 },
      { isBeingRestored: true },
      'backup.restoring',
    ],
    [
      'cannot be undone while the deployment restarts',
      { state: 'done', undo_until: 1_001 },
      { status: 'RESTARTING' },
      'backup.restore_needs_running',
    ],
  ])('%s', (_, restore, change, refusal) => {
    expect(code(refusalToUndo({ ...READY, ...change }, restore, 1_000))).toBe(refusal);
  });
});

describe('copy', () => {
  const pack = { name: 'Pangolin', version: 2, releases: ['1.0', '1.1'] };
  const whole = { state: 'complete', catalogue_version: 2, release: null } as const;
  it.each<[string, Parameters<typeof refusalOfCopy>[0], typeof pack | null, string | null]>([
    ['of this version of its package', { ...whole }, pack, null],
    ['of an older version', { ...whole, catalogue_version: 1 }, pack, null],
    ['of a newer version', { ...whole, catalogue_version: 3 }, pack, 'backup.copy_newer'],
    ['of a known release', { ...whole, release: '1.1' }, pack, null],
    ['of a release that is not known yet', { ...whole, release: '1.2' }, pack, 'backup.copy_newer'],
    ['of a package that is no longer offered', { ...whole, catalogue_version: 1 }, null, 'backup.package_gone'],
    ['that was removed', { ...whole, state: 'removed', catalogue_version: 1 }, pack, 'backup.copy_unknown'],
    ['that is being created', { ...whole, state: 'running', catalogue_version: 1 }, pack, 'backup.copy_incomplete'],
    ['that failed', { ...whole, state: 'failed', catalogue_version: null }, pack, 'backup.copy_incomplete'],
  ])('%s', (_, copy, installed, refusal) => {
    expect(code(refusalOfCopy(copy, installed))).toBe(refusal);
  });

  it.each([
    ['simulated', 'simulated', null],
    ['real', 'real', null],
    ['simulated', 'real', 'backup.simulated_copy'],
    ['simulated', 'off', 'backup.simulated_copy'],
    ['real', 'simulated', 'backup.real_copy'],
    ['real', 'off', 'backup.off'],
  ] as const)('in a %s repository, with backups %s', (copiesIn, mode, refusal) => {
    expect(code(refusalOfPlace({ copiesIn, mode }))).toBe(refusal);
  });

  it.each([
    [35_000_000_000, 40, null],
    [35_000_000_001, 40, 'backup.disk_too_small'],
    [500_000_000_000, null, null],
    [null, 25, null],
  ])('of %s bytes, on a disk of %s GB', (bytes, diskGb, refusal) => {
    expect(code(refusalOfDisk({ bytes, diskGb }))).toBe(refusal);
  });
});
