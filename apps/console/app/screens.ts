import type { ComponentType } from 'react';
import { plainPath } from '../data/addresses';
import { adminDeployments } from '../resources/admin-deployments';
import { TABS } from '../resources/deployments/tabs';
import { conversations } from '../resources/conversations';
import { creditRequests } from '../resources/credit-requests';
import { mailbox } from '../resources/mailbox';
import { payments } from '../resources/payments';
import { referralCredits } from '../resources/referral-credits';
import { referrals } from '../resources/referrals';
import { users } from '../resources/users';
import { movedTo } from './old-addresses';
import { type Load, PUBLIC_SCREENS } from './public-screens';
import type { ConsoleTextKey } from '../texts/console-i18n';

/*
 * The list of all screens, used by both routers, the app bar, the menu, the search and the tests of every page. Each
 * screen is a separate chunk, loaded on demand. Those of the public side are in `public-screens.ts`, because a public
 * page must not load the list of the others.
 */

interface Destination {
  /** Name in the app bar, the menu and the search. Missing for a screen that only another screen links to. */
  readonly label?: ConsoleTextKey;
  /** Shorter name in the app bar. */
  readonly barLabel?: ConsoleTextKey;
  /** Shown in the app bar or, on narrow screens, in the menu. */
  readonly inBar?: true;
  readonly inMenu?: true;
  /** Visible and reachable for administrators only. Their bar has these screens instead of the customers'. */
  readonly administrators?: true;
  /** Requires that emails are stored as files of the installation. */
  readonly whereMailsAreKept?: true;
  /** Requires that referrals are enabled (decision 39). */
  readonly whereReferralsAreOn?: true;
  /** Useless during impersonation, because it only changes something. */
  readonly changesOnly?: true;
  /** True if only the account's owner may see it. The API refuses its calls during impersonation. */
  readonly hiddenFromImpersonation?: true;
  /** Requires that work runs on Bull. */
  readonly whereQueuesAre?: true;
}

/** Screen of the logged-in side that is no resource. */
interface PageScreen extends Destination {
  readonly path: string;
  readonly load: Load;
  /** Parts of the screen with an address below its own. An empty path is the screen's own address. */
  readonly tabs?: readonly { readonly path: string; readonly load: Load }[];
}

/** A resource as its folder exports it, in the form of react-admin's `Resource`. */
interface ResourceDefinition {
  readonly name: string;
  readonly list: ComponentType;
  readonly show?: ComponentType;
  readonly create?: ComponentType;
  readonly edit?: ComponentType;
  /** Field that names a record. */
  readonly recordRepresentation?: string;
}

/** Screens of a resource. Without a `path` they are at the addresses that react-admin assigns, such as `/users`. */
export interface ResourceScreens extends Destination {
  readonly resource: ResourceDefinition;
  /** Address of the list, if it is not the name of the resource. The page of a record is then at `:id` below it. */
  readonly path?: string;
}

/** Screens of the logged-in side, in the order of the menu. */
export const CONSOLE_SCREENS: readonly (PageScreen | ResourceScreens)[] = [
  {
    path: '/create-deployment',
    load: () => import('../pages/wizard/wizard-page'),
    label: 'deployments.create',
    changesOnly: true,
  },
  {
    path: '/admin',
    load: () => import('../pages/overview/overview-page'),
    label: 'overview.title',
    administrators: true,
    inBar: true,
  },
  {
    resource: adminDeployments,
    administrators: true,
    label: 'layout.all_deployments',
    barLabel: 'layout.deployments',
    inBar: true,
  },
  {
    resource: users,
    administrators: true,
    label: 'layout.users',
    inBar: true,
    inMenu: true,
  },
  {
    resource: payments,
    administrators: true,
    label: 'layout.payments',
    inBar: true,
  },
  {
    resource: conversations,
    path: '/support-inbox',
    label: 'layout.support_inbox',
    barLabel: 'layout.inbox',
    administrators: true,
    inBar: true,
  },
  {
    path: '/dashboard',
    load: () => import('../resources/deployments/list'),
    label: 'layout.dashboard',
    inBar: true,
  },
  {
    path: '/deployments/:id',
    load: () => import('../resources/deployments/show'),
    tabs: TABS,
  },
  {
    path: '/billing',
    load: () => import('../pages/billing/billing-page'),
    label: 'layout.billing',
    inBar: true,
    inMenu: true,
  },
  {
    path: '/account',
    load: () => import('../pages/account/account-page'),
    label: 'layout.account',
    inMenu: true,
  },
  {
    path: '/activity',
    load: () => import('../pages/activity/activity-page'),
    label: 'activity.title',
    hiddenFromImpersonation: true,
    inMenu: true,
  },
  {
    path: '/referrals',
    load: () => import('../pages/referrals/referrals-page'),
    label: 'layout.referrals',
    whereReferralsAreOn: true,
    inMenu: true,
  },
  {
    path: '/support',
    load: () => import('../pages/support/support-page'),
    label: 'layout.support',
    inMenu: true,
  },
  {
    resource: referralCredits,
    path: '/admin-referrals',
    label: 'layout.admin_referrals',
    administrators: true,
    inMenu: true,
  },
  { resource: referrals, path: '/admin-referrals/referrals', administrators: true },
  { resource: creditRequests, path: '/admin-referrals/credit-requests', administrators: true },
  {
    path: '/admin-referrals/clusters',
    load: () => import('../resources/referral-credits/clusters'),
    administrators: true,
  },
  {
    path: '/providers',
    load: () => import('../pages/providers/providers-page'),
    label: 'layout.providers',
    administrators: true,
    inMenu: true,
  },
  {
    path: '/admin-incidents',
    load: () => import('../pages/incidents/incidents-page'),
    label: 'layout.incidents',
    administrators: true,
    inMenu: true,
  },
  {
    path: '/releases',
    load: () => import('../pages/releases/releases-page'),
    label: 'layout.releases',
    administrators: true,
    inMenu: true,
  },
  {
    path: '/queues',
    load: () => import('../pages/queues/queues-page'),
    label: 'layout.queues',
    administrators: true,
    whereQueuesAre: true,
    inMenu: true,
  },
  {
    resource: mailbox,
    whereMailsAreKept: true,
    hiddenFromImpersonation: true,
    label: 'layout.mailbox',
    inMenu: true,
  },
];

export const RESOURCES = CONSOLE_SCREENS.filter((screen): screen is ResourceScreens => 'resource' in screen);
export const PAGES = CONSOLE_SCREENS.filter((screen): screen is PageScreen => 'load' in screen);

/** Returns the address of a resource's list. */
export const listAddress = ({ resource: { name }, path = `/${name}` }: ResourceScreens): string => path;

/** Returns the paths of a resource's screens, with parameters as `:id`. */
export function addressesOf(screens: ResourceScreens): readonly string[] {
  const list = listAddress(screens);
  const { show, create, edit } = screens.resource;
  if (screens.path !== undefined) return [list, ...(show === undefined ? [] : [`${list}/:id`])];
  return [
    list,
    ...(create === undefined ? [] : [`${list}/create`]),
    ...(edit === undefined ? [] : [`${list}/:id`]),
    ...(show === undefined ? [] : [`${list}/:id/show`]),
  ];
}

/** All paths with a screen, with parameters as `:id`. */
export const ADDRESSES: readonly string[] = [
  ...Object.keys(PUBLIC_SCREENS),
  ...PAGES.flatMap(({ path, tabs = [{ path: '' }] }) =>
    tabs.map((tab) => (tab.path === '' ? path : `${path}/${tab.path}`)),
  ),
  ...RESOURCES.flatMap(addressesOf),
];

const CONSOLE_ADDRESSES = ADDRESSES.filter((address) => !(address in PUBLIC_SCREENS)).map(
  (address) => new RegExp(`^${address.replace(/:\w+/g, '[^/]+')}$`),
);

/** Returns whether a path belongs to a screen of the logged-in side. */
export const isConsolePath = (path: string): boolean =>
  CONSOLE_ADDRESSES.some((address) => address.test(plainPath(path))) || movedTo(path, '') !== null;
