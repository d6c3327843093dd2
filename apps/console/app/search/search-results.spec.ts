import { describe, expect, it } from '@jest/globals';
import type { AdminUserAnswer } from '@moorage/contracts';
import type { Found } from '../../data/search';
import { deploymentOf } from '../../resources/deployments/testing';
import { USER } from '../../testing/console-fixture';
import { hitsFor, numberIn } from './search-results';

const SCREENS = [
  { to: '/create-deployment', label: 'Create Deployment' },
  { to: '/dashboard', label: 'Dashboard' },
  { to: '/billing', label: 'Billing' },
];
const ACTS = [
  { key: 'theme-dark', label: 'Dark theme', run: () => undefined },
  { key: 'logout', label: 'Logout', run: () => undefined },
];
const HARBOUR = deploymentOf({ id: 12, client_name: 'harbour-pangolin', domain: 'harbour.example' });
const LIGHTS = deploymentOf({ id: 7, client_name: 'lights-coolify', package: 'coolify', domain: 'lights.example' });
const KIT: AdminUserAnswer = {
  ...USER,
  id: 12,
  username: 'kit',
  email: 'kit@harbour.example',
  total_balance: 0,
  active_deployments: 0,
  deactivated_at: null,
  low_balance_days: null,
};
const OPENED = [
  { kind: 'deployment', id: 7, name: 'lights-coolify' },
  { kind: 'user', id: 12, name: 'kit' },
] as const;
const backupsOf = (name: string): string => `Backups of ${name}`;
const NOTHING: Found = { term: '', deployments: [], users: [] };

function keys(typed: string, { found = NOTHING, recent = [] }: { found?: Found; recent?: typeof OPENED | [] } = {}) {
  return hitsFor(typed, { screens: SCREENS, acts: ACTS, recent, found, backupsOf }).map(
    ({ group, key }) => `${group}: ${key}`,
  );
}

describe('search results', () => {
  it('for an empty query are recent items and all pages', () => {
    expect(keys(' ', { recent: OPENED })).toEqual([
      'recent: deployment 7',
      'recent: user 12',
      'screens: screen /create-deployment',
      'screens: screen /dashboard',
      'screens: screen /billing',
    ]);
  });

  it.each([
    ['b', ['screens: screen /billing']],
    ['DEP', ['screens: screen /create-deployment']],
    ['illing', []],
    ['theme', ['actions: action theme-dark']],
    ['da', ['screens: screen /dashboard', 'actions: action theme-dark']],
  ])('match pages and actions by the beginning of a word: %s', (typed, found) => {
    expect(keys(typed)).toEqual(found);
  });

  it('list pages first, then recent items, then results of the server, without duplicates', () => {
    const found = { term: 'li', deployments: [LIGHTS, HARBOUR], users: [KIT] };
    expect(keys('li', { found, recent: OPENED })).toEqual([
      'recent: deployment 7',
      'deployments: deployment 12',
      'users: user 12',
    ]);
    const [first] = hitsFor('li', { screens: [], acts: [], recent: OPENED, found, backupsOf });
    expect(first).toMatchObject({ kind: 'deployment', deployment: { status: 'READY' } });
  });

  it('begin with Backups if the query means the backups of a recent item', () => {
    expect(keys('backups', { recent: OPENED })).toEqual(['screens: screen /deployments/7/backups']);
    expect(keys('backups of lights', { recent: OPENED })).toEqual(['screens: screen /deployments/7/backups']);
    expect(keys('backups of kit', { recent: OPENED })).toEqual([]);
  });

  it('of an earlier response are shown only as long as they match the current query', () => {
    const found = { term: 'har', deployments: [HARBOUR, LIGHTS], users: [KIT] };
    expect(keys('har', { found })).toHaveLength(3);
    expect(keys('harbour.ex', { found })).toEqual(['deployments: deployment 12', 'users: user 12']);
    expect(keys('lights', { found })).toEqual(['deployments: deployment 7']);
    expect(keys('zzz', { found })).toEqual([]);
  });

  it('for a number are the deployment with that number', () => {
    const found = { term: '', deployments: [HARBOUR, LIGHTS], users: [] };
    expect(keys('#7', { found })).toEqual(['deployments: deployment 7']);
    expect(keys('12', { recent: OPENED })).toEqual(['recent: user 12']);
  });

  it('are labelled with the number if they have no name', () => {
    const found = { term: 'x', deployments: [deploymentOf({ id: 3, client_name: '' })], users: [] };
    expect(hitsFor('x', { screens: [], acts: [], recent: [], found, backupsOf })[0]?.name).toBe('deployment-3');
  });
});

describe('number query', () => {
  it.each([
    ['1053', 1053],
    ['#1053', 1053],
    ['0', null],
    ['007', null],
    ['12a', null],
    ['1234567890', null],
    ['##1', null],
  ])('%s is parsed as %s', (term, number) => {
    expect(numberIn(term)).toBe(number);
  });
});
