import { describe, expect, it } from '@jest/globals';
import { decideReboot } from './reboot';

const ready = {
  isNeeded: true,
  isOver: false,
  isWindowOpen: true,
  isUpdateDue: false,
  isBackupOpen: false,
  isAllowed: true,
};

describe('a planned reboot', () => {
  it.each<[string, Partial<typeof ready>, string]>([
    ['begins in its window', {}, 'begin'],
    ['waits for its window', { isWindowOpen: false }, 'wait'],
    ['waits for an update that is due', { isUpdateDue: true }, 'wait'],
    ['waits for a backup', { isBackupOpen: true }, 'wait'],
    ['waits while another run changes the deployment', { isAllowed: false }, 'wait'],
    ['is dropped when the server was rebooted by others', { isNeeded: false, isWindowOpen: false }, 'drop'],
    ['is dropped when the deployment has ended', { isOver: true, isAllowed: false }, 'drop'],
  ])('%s', (_, facts, decision) => {
    expect(decideReboot({ ...ready, ...facts })).toBe(decision);
  });
});
