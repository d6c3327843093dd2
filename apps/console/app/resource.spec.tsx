import { afterEach, describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { Suspense } from 'react';
import { AdminUI } from 'react-admin';
import { ADDRESSES, addressesOf, type ResourceScreens } from './screens';
import { leaveConsole, showInConsole } from '../testing/console-fixture';
import { resourceOf } from './resource';

const screenOf = (text: string) => () => Promise.resolve({ default: () => <p>{text}</p> });

const BERTHS: ResourceScreens = {
  resource: 'berths',
  list: screenOf('all berths'),
  show: screenOf('one berth'),
  create: screenOf('a new berth'),
  edit: screenOf('another name for a berth'),
  represents: 'name',
  label: 'layout.dashboard',
};
const { create: _create, edit: _edit, show: _show, ...LIST_ONLY } = BERTHS;

const show = (screens: ResourceScreens, at: string) =>
  showInConsole(
    <AdminUI layout={({ children }) => <Suspense>{children}</Suspense>} loginPage={false} disableTelemetry>
      {resourceOf(screens)}
    </AdminUI>,
    { replies: {}, at },
  );

afterEach(leaveConsole);

describe('resource of the screen table', () => {
  it.each([
    ['/berths', 'all berths'],
    ['/berths/4/show', 'one berth'],
    ['/berths/create', 'a new berth'],
    ['/berths/4', 'another name for a berth'],
  ])('shows at %s the screen "%s"', async (at, text) => {
    show(BERTHS, at);
    expect(await screen.findByText(text)).toBeInTheDocument();
  });

  it('shows its list by default', async () => {
    show(LIST_ONLY, '/berths/4');
    expect(await screen.findByText('all berths')).toBeInTheDocument();
  });

  it('exposes the addresses of its screens to the tests of every page', () => {
    expect(addressesOf(BERTHS)).toEqual(['/berths', '/berths/create', '/berths/:id', '/berths/:id/show']);
    expect(addressesOf(LIST_ONLY)).toEqual(['/berths']);
    expect(ADDRESSES).toEqual(expect.arrayContaining(['/', '/users', '/users/:id/show', '/mailbox/:id/show']));
  });
});
