import { actionsOf, IN_FLIGHT, lockedReason, ORDER_MESSAGES, type SupportLevel } from '@moorage/domain';
import type { Deployment } from '../data/deployments';
import type { ConsoleTextKey } from '../texts/console-i18n';

export type DeploymentTextKey = ConsoleTextKey;

/** The rule's messages (specification section 4) as the console says them. */
const LOCKED: Readonly<Record<string, DeploymentTextKey>> = {
  [ORDER_MESSAGES.locked_provisioning.code]: 'deployments.locked.provisioning',
  [ORDER_MESSAGES.locked_deactivation.code]: 'deployments.locked.deactivation',
};

/** Why nothing may be done with a deployment now; null: something may. */
export function lockedKey({ status, deleted_at }: Pick<Deployment, 'status' | 'deleted_at'>): DeploymentTextKey | null {
  const reason = deleted_at === null ? lockedReason(status) : null;
  return reason === null ? null : (LOCKED[reason.code] ?? 'deployments.locked.provisioning');
}

/** Whether it can be done now: by the record, and by the status that a poll has found since. */
export const allows = (
  { actions, status, cancelling }: Pick<Deployment, 'actions' | 'status' | 'cancelling'>,
  action: 'cancel' | 'change_domain',
): boolean => !cancelling && actions.includes(action) && actionsOf(status).includes(action);

/** Given up, and on its way to its next step; from then on it is being removed like any other. */
export const isCancelling = ({ cancelling, status }: Pick<Deployment, 'cancelling' | 'status'>): boolean =>
  cancelling && IN_FLIGHT.includes(status) && status !== 'DESTROYING';

/** Nothing of it is left but its entry. */
export const isOver = ({ status, deleted_at }: Pick<Deployment, 'status' | 'deleted_at'>): boolean =>
  deleted_at !== null || status === 'DESTROYED';

const LEVELS: Readonly<Record<SupportLevel, 'community' | 'professional' | 'enterprise'>> = {
  1: 'community',
  2: 'professional',
  3: 'enterprise',
};

export const levelKey = (level: SupportLevel): DeploymentTextKey => `deployments.cost.levels.${LEVELS[level]}`;
export const offerKey = (level: SupportLevel): DeploymentTextKey => `deployments.cost.offers.${LEVELS[level]}`;

/** The address without its scheme, as it is shown; the whole one is in the title. */
export const hostOf = (link: string): string => link.replace(/^https?:\/\//, '');

/** Where *Open* leads: to its address, and in the sandbox to the page that stands in for it. */
export const openedAt = ({ open_link, access_link }: Deployment): string | null => open_link ?? access_link;

/** Where the server is; a user's own is where its owner said. */
export const addressOf = ({ instance_ip, vps_ip_address }: Deployment): string | null => vps_ip_address ?? instance_ip;

/** Whether it has records and certificates to look at: it has a domain, and a server or one to come. */
export const hasRecords = ({
  domain,
  status,
  deleted_at,
  cancelling,
}: Pick<Deployment, 'domain' | 'status' | 'deleted_at' | 'cancelling'>): boolean =>
  domain !== null && deleted_at === null && !cancelling && !['FAILED', 'DESTROYING', 'DESTROYED'].includes(status);

export const isOwn = ({ server_type }: Pick<Deployment, 'server_type'>): boolean => server_type === 'vps';

export const ROW_LINK_ID = (id: number): string => `deployment-${id}`;
