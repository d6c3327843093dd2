import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { lazy, Suspense } from 'react';
import { AdminUI, CustomRoutes } from 'react-admin';
import { ADDRESSES, addressesOf, type ResourceScreens } from './screens';
import { showInConsole } from '../testing/console-fixture';
import { resourceOf, routesOf } from './resource';

const screenOf = (text: string) => lazy(() => Promise.resolve({ default: () => <p>{text}</p> }));

const list = screenOf('all berths');
const BERTHS: ResourceScreens = {
  resource: {
    name: 'berths',
    list,
    show: screenOf('one berth'),
    create: screenOf('a new berth'),
    edit: screenOf('another name for a berth'),
    recordRepresentation: 'name',
  },
  label: 'layout.dashboard',
};
const LIST_ONLY: ResourceScreens = { resource: { name: 'berths', list } };
const ELSEWHERE: ResourceScreens = { ...BERTHS, path: '/harbour/berths' };

const show = (screens: ResourceScreens, at: string) =>
  showInConsole(
    <AdminUI layout={({ children }) => <Suspense>{children}</Suspense>} loginPage={false} disableTelemetry>
      {screens.path === undefined ? resourceOf(screens) : <CustomRoutes>{routesOf(screens)}</CustomRoutes>}
    </AdminUI>,
    { replies: {}, at },
  );

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

  it.each([
    ['/harbour/berths', 'all berths'],
    ['/harbour/berths/4', 'one berth'],
  ])('shows at %s of its own path the screen "%s"', async (at, text) => {
    show(ELSEWHERE, at);
    expect(await screen.findByText(text)).toBeInTheDocument();
  });

  it('exposes the addresses of its screens to the tests of every page', () => {
    expect(addressesOf(BERTHS)).toEqual(['/berths', '/berths/create', '/berths/:id', '/berths/:id/show']);
    expect(addressesOf(LIST_ONLY)).toEqual(['/berths']);
    expect(addressesOf(ELSEWHERE)).toEqual(['/harbour/berths', '/harbour/berths/:id']);
    expect(ADDRESSES).toEqual(expect.arrayContaining(['/', '/users', '/users/:id/show', '/mailbox/:id/show']));
  });
});
