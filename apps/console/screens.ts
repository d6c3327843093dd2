import type { ComponentType } from 'react';
import type { ConsoleTextKey } from './texts/console-i18n';

/*
 * Every screen there is, once: the two routers, the bar, the menu, the search and the tests of every page read it here.
 * Each is a chunk of its own, loaded when somebody goes there.
 */

type Load = () => Promise<{ default: ComponentType }>;

/** A page anybody may open. */
export interface PublicScreen {
  readonly load: Load;
  /** For visitors only: whoever is signed in is led on. */
  readonly visitorsOnly?: true;
  /** Much to read: nothing is drawn behind it. */
  readonly plainGround?: true;
}

/** By address. Every other address belongs to the signed-in side and asks for a login. */
export const PUBLIC_SCREENS = {
  '/': { load: () => import('./public/home') },
  '/pricing': { load: () => import('./public/pricing'), plainGround: true },
  '/login': { load: () => import('./public/login'), visitorsOnly: true },
  '/signup': { load: () => import('./public/signup'), visitorsOnly: true },
  '/forgot-password': { load: () => import('./public/forgot-password') },
  '/reset-password': { load: () => import('./public/reset-password') },
  '/verify-email': { load: () => import('./public/verify-email') },
  '/conversation': { load: () => import('./public/conversation'), plainGround: true },
  '/unsubscribe': { load: () => import('./public/unsubscribe') },
  '/account-deactivated': { load: () => import('./public/account-deactivated') },
  '/success': { load: () => import('./public/success') },
  '/cancel': { load: () => import('./public/cancel') },
} as const satisfies Readonly<Record<string, PublicScreen>>;

interface Destination {
  /** What it is called in the bar, in the menu and in the search. */
  readonly label: ConsoleTextKey;
  /** In the bar; where the screen is too narrow for it, in the menu. */
  readonly inBar?: true;
  readonly inMenu?: true;
  /** Shown to administrators only, and led to for nobody else. */
  readonly administrators?: true;
  /** Only where mails are files of the installation. */
  readonly whereMailsAreKept?: true;
  /** Only where referrals are on (decisions 39). */
  readonly whereReferralsAreOn?: true;
  /** Only where work runs on Bull. */
  readonly whereQueuesAre?: true;
}

/** A screen of the signed-in side at an address of its own. */
export interface ConsoleScreen extends Destination {
  readonly path: string;
  readonly load: Load;
}

/** The screens of a resource of react-admin, at the addresses that it gives them. */
export interface ResourceScreens extends Destination {
  readonly resource: string;
  /** Where the api has it, where that is not at its name. */
  readonly at?: string;
  /** `/users` */
  readonly list: Load;
  /** `/users/:id/show` */
  readonly show?: Load;
  /** `/users/create` */
  readonly create?: Load;
  /** `/users/:id` */
  readonly edit?: Load;
  /** The field that names a record. */
  readonly represents: string;
}

export const CONSOLE_SCREENS: readonly ConsoleScreen[] = [
  {
    path: '/create-deployment',
    load: () => import('./wizard/wizard-page'),
    label: 'deployments.create',
  },
  {
    path: '/dashboard',
    load: () => import('./deployments/dashboard-page'),
    label: 'layout.dashboard',
    inBar: true,
  },
  {
    path: '/deployments/:id/backups',
    load: () => import('./deployments/backups/backups-page'),
    label: 'backups.title',
  },
  {
    path: '/billing',
    load: () => import('./billing/billing-page'),
    label: 'layout.billing',
    inBar: true,
    inMenu: true,
  },
  {
    path: '/account',
    load: () => import('./account/account-page'),
    label: 'layout.account',
    inMenu: true,
  },
  {
    path: '/activity',
    load: () => import('./activity/activity-page'),
    label: 'activity.title',
    inMenu: true,
  },
  {
    path: '/referrals',
    load: () => import('./referrals/referrals-page'),
    label: 'layout.referrals',
    whereReferralsAreOn: true,
    inMenu: true,
  },
  {
    path: '/support',
    load: () => import('./support/support-page'),
    label: 'layout.support',
    inMenu: true,
  },
  {
    path: '/admin-referrals',
    load: () => import('./admin-referrals/admin-referrals-page'),
    label: 'layout.admin_referrals',
    administrators: true,
    inMenu: true,
  },
  {
    path: '/support-inbox',
    load: () => import('./support-inbox/support-inbox-page'),
    label: 'layout.support_inbox',
    administrators: true,
    inMenu: true,
  },
  {
    path: '/providers',
    load: () => import('./administration/providers/providers-page'),
    label: 'layout.providers',
    administrators: true,
    inMenu: true,
  },
  {
    path: '/queues',
    load: () => import('./queues/queues-page'),
    label: 'layout.queues',
    administrators: true,
    whereQueuesAre: true,
    inMenu: true,
  },
];

export const RESOURCES: readonly ResourceScreens[] = [
  {
    resource: 'users',
    list: () => import('./administration/user-list'),
    show: () => import('./administration/user-show'),
    represents: 'username',
    administrators: true,
    label: 'layout.users',
    inBar: true,
    inMenu: true,
  },
  {
    resource: 'deployments',
    list: () => import('./administration/deployment-list'),
    show: () => import('./administration/deployment-show'),
    represents: 'client_name',
    administrators: true,
    label: 'layout.all_deployments',
    inMenu: true,
  },
  {
    resource: 'payments',
    at: '/billing/admin/payments',
    list: () => import('./payments/payment-list'),
    show: () => import('./payments/payment-show'),
    represents: 'id',
    administrators: true,
    label: 'layout.payments',
    inMenu: true,
  },
  {
    resource: 'mailbox',
    list: () => import('./mailbox/mailbox-list'),
    show: () => import('./mailbox/mailbox-show'),
    represents: 'subject',
    whereMailsAreKept: true,
    label: 'layout.mailbox',
    inMenu: true,
  },
];

/** The addresses of a resource's screens, parameters as `:id`. */
export function addressesOf({ resource, show, create, edit }: ResourceScreens): readonly string[] {
  return [
    `/${resource}`,
    ...(create === undefined ? [] : [`/${resource}/create`]),
    ...(edit === undefined ? [] : [`/${resource}/:id`]),
    ...(show === undefined ? [] : [`/${resource}/:id/show`]),
  ];
}

/** Every address with a screen, parameters as `:id`. */
export const ADDRESSES: readonly string[] = [
  ...Object.keys(PUBLIC_SCREENS),
  ...CONSOLE_SCREENS.map(({ path }) => path),
  ...RESOURCES.flatMap(addressesOf),
];

/** Without the slashes that an address may end with. */
export const plainPath = (path: string): string => (path.length > 1 ? path.replace(/\/+$/, '') : path);

const CONSOLE_ADDRESSES = ADDRESSES.filter((address) => !(address in PUBLIC_SCREENS)).map(
  (address) => new RegExp(`^${address.replace(/:\w+/g, '[^/]+')}$`),
);

/** An address of the signed-in side that has a screen. */
export const isConsolePath = (path: string): boolean =>
  CONSOLE_ADDRESSES.some((address) => address.test(plainPath(path)));

export const isPublicPath = (path: string): boolean => plainPath(path) in PUBLIC_SCREENS;
