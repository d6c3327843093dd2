import { describe, expect, it } from '@jest/globals';
import { movedTo } from './old-addresses';

const filter = (filters: Readonly<Record<string, string>>): string => encodeURIComponent(JSON.stringify(filters));

function partsOf(address: string): [path: string, search: string] {
  const { pathname, search } = new URL(address, 'https://moorage.example');
  return [pathname, search];
}

describe('old address', () => {
  it.each([
    ['/support-inbox?conversation=51', '/support-inbox/51'],
    ['/support-inbox?state=answered&level=2&conversation=51&page=2', '/support-inbox/51'],
    ['/support-inbox/?user_id=7', `/support-inbox?filter=${filter({ user_id: '7' })}`],
    [
      '/support-inbox?state=closed&search=domain&page=2',
      `/support-inbox?filter=${filter({ state: 'closed', q: 'domain' })}&page=2`,
    ],
    ['/admin-referrals?tab=referrals', '/admin-referrals/referrals'],
    [
      '/admin-referrals?tab=requests&state=approved',
      `/admin-referrals/credit-requests?filter=${filter({ state: 'approved' })}`,
    ],
    ['/admin-referrals?tab=clusters&by=mail_domain', '/admin-referrals/clusters?by=mail_domain'],
    ['/admin-referrals?tab=credits', '/admin-referrals'],
    [
      '/admin-referrals?sort_by=amount&sort_order=asc&page=3',
      '/admin-referrals?filter=%7B%7D&sort=amount&order=ASC&page=3',
    ],
    ['/deployments?page=2&perPage=50', '/admin-deployments?page=2&perPage=50'],
    ['/deployments/3/show', '/admin-deployments/3/show'],
    ['/admin-referrals?network=203.0.113.0%2F24', `/admin-referrals?filter=${filter({ network: '203.0.113.0/24' })}`],
  ])('%s has moved to %s', (old, now) => {
    const [path, query] = partsOf(old);
    expect(movedTo(path, query)).toBe(now);
    expect(movedTo(...partsOf(now))).toBeNull();
  });

  it.each([
    '/support-inbox',
    '/support-inbox?page=2',
    '/users?search=mara',
    '/deployments/3',
    '/deployments/3/backups',
  ])('%s has not moved', (address) => {
    expect(movedTo(...partsOf(address))).toBeNull();
  });
});
