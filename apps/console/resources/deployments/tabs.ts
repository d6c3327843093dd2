import type { ComponentType } from 'react';
import type { Deployment } from '../../data/deployments';
import type { ConsoleTextKey } from '../../texts/console-i18n';

/** Facts that decide which tabs a deployment has. */
interface ShownDeployment {
  /** Undefined once its entry is deleted. */
  readonly deployment: Pick<Deployment, 'status' | 'deleted_at' | 'ended'> | undefined;
  /** Backups of it are stored, or that is not known yet. */
  readonly hasCopies: boolean;
}

/** Tab of a deployment's page. */
export interface DeploymentTab {
  /** Last part of its address. Empty for the first tab. */
  readonly path: string;
  readonly label: ConsoleTextKey;
  /** Window title with the deployment's `%{name}`. */
  readonly title: ConsoleTextKey;
  /** Opens the tab when pressed after `g`. */
  readonly jump?: string;
  readonly load: () => Promise<{ default: ComponentType }>;
  /** Returns whether the deployment has this tab. */
  readonly when: (shown: ShownDeployment) => boolean;
}

const has =
  (...excluded: readonly Deployment['status'][]) =>
  ({ deployment }: ShownDeployment): boolean =>
    deployment !== undefined &&
    deployment.deleted_at === null &&
    deployment.status !== 'DESTROYED' &&
    !excluded.includes(deployment.status);

const hasOneOf =
  (...statuses: readonly Deployment['status'][]) =>
  ({ deployment }: ShownDeployment): boolean =>
    deployment !== undefined && deployment.deleted_at === null && statuses.includes(deployment.status);

/** Returns whether the server of the deployment was lost. Its metrics show what came before. */
const isLost = ({ deployment }: ShownDeployment): boolean => deployment?.ended?.reason === 'lost';

/** Returns whether the entry of the deployment exists. */
const isListed = ({ deployment }: ShownDeployment): boolean => deployment !== undefined;

/**
 * Tabs of a deployment's page, in display order. The router, the tests of every page and the tab links read this table.
 * Public pages load it too, so it imports only types.
 */
export const TABS: readonly DeploymentTab[] = [
  {
    path: '',
    label: 'deployments.page.overview',
    title: 'deployments.page.titles.overview',
    jump: 'o',
    load: () => import('./overview/overview-tab'),
    when: isListed,
  },
  {
    path: 'access',
    label: 'deployments.page.access',
    title: 'deployments.page.titles.access',
    jump: 'a',
    load: () => import('./access/access-tab'),
    when: has('FAILED', 'DESTROYING'),
  },
  {
    path: 'backups',
    label: 'backups.title',
    title: 'backups.of',
    jump: 'b',
    load: () => import('./backups/backups-tab'),
    when: (shown) => shown.hasCopies || has('FAILED')(shown),
  },
  {
    path: 'metrics',
    label: 'metrics.title',
    title: 'metrics.of',
    jump: 'm',
    load: () => import('./metrics/metrics-tab'),
    when: (shown) => hasOneOf('ACTIVE', 'READY', 'RESTARTING', 'DNS_VALIDATION', 'DNS_FAILED')(shown) || isLost(shown),
  },
  {
    path: 'logs',
    label: 'logs.title',
    title: 'logs.of',
    jump: 'l',
    load: () => import('./logs/logs-tab'),
    when: has('CREATING', 'PROVISIONING', 'FAILED', 'DESTROYING'),
  },
  {
    path: 'activity',
    label: 'deployments.page.activity',
    title: 'deployments.page.titles.activity',
    load: () => import('./activity/activity-tab'),
    when: isListed,
  },
  {
    path: 'settings',
    label: 'deployments.page.settings',
    title: 'deployments.page.titles.settings',
    jump: 's',
    load: () => import('./settings/settings-tab'),
    when: has(),
  },
];

/** Returns the address of a deployment's page. */
export const pageOf = (id: number, tab = ''): string => `/deployments/${id}${tab === '' ? '' : `/${tab}`}`;

/** Returns the tab at an address. */
export function tabAt(pathname: string): DeploymentTab {
  const [path = ''] = pathname.split('/').slice(3);
  const tab = TABS.find((each) => each.path === path);
  if (tab === undefined) throw new Error(`A deployment has no tab at ${pathname}.`);
  return tab;
}
