import {
  actionsOf,
  type DeploymentAction,
  IN_FLIGHT,
  lockedReason,
  ORDER_MESSAGES,
  type SupportLevel,
} from '@moorage/domain';
import type { Deployment } from '../../data/deployments';
import type { ConsoleTextKey } from '../../texts/console-i18n';

export type DeploymentTextKey = ConsoleTextKey;

/** Console texts for the messages of specification section 4. */
const LOCKED: Readonly<Record<string, DeploymentTextKey>> = {
  [ORDER_MESSAGES.locked_provisioning.code]: 'deployments.locked.provisioning',
  [ORDER_MESSAGES.locked_deactivation.code]: 'deployments.locked.deactivation',
};

/** Returns the reason why all actions of a deployment are disabled, or null. */
export function lockedKey({ status, deleted_at }: Pick<Deployment, 'status' | 'deleted_at'>): DeploymentTextKey | null {
  const reason = deleted_at === null ? lockedReason(status) : null;
  return reason === null ? null : (LOCKED[reason.code] ?? 'deployments.locked.provisioning');
}

/** Returns whether the action is possible, by the record and by the newer status from a poll. */
export const allows = (
  { actions, status, cancelling }: Pick<Deployment, 'actions' | 'status' | 'cancelling'>,
  action: DeploymentAction,
): boolean => !cancelling && actions.includes(action) && actionsOf(status).includes(action);

/**
 * Returns whether the deployment was cancelled but still has to reach its next step, after which it is removed as
 * usual.
 */
export const isCancelling = ({ cancelling, status }: Pick<Deployment, 'cancelling' | 'status'>): boolean =>
  cancelling && IN_FLIGHT.includes(status) && status !== 'DESTROYING';

/** Returns whether it is the source of a move or clone that has not ended, during which it is not changed. */
export const isSource = ({ id, move }: Pick<Deployment, 'id' | 'move'>): boolean =>
  move !== null && move.source_id === id && move.state !== 'done';

/** Returns whether only the entry of the deployment is left. */
export const isOver = ({ status, deleted_at }: Pick<Deployment, 'status' | 'deleted_at'>): boolean =>
  deleted_at !== null || status === 'DESTROYED';

const LEVELS: Readonly<Record<SupportLevel, 'community' | 'professional' | 'enterprise'>> = {
  1: 'community',
  2: 'professional',
  3: 'enterprise',
};

export const levelKey = (level: SupportLevel): DeploymentTextKey => `deployments.cost.levels.${LEVELS[level]}`;
export const offerKey = (level: SupportLevel): DeploymentTextKey => `deployments.cost.offers.${LEVELS[level]}`;

/** Removes the scheme of an address for display. The title shows the full address. */
export const hostOf = (link: string): string => link.replace(/^https?:\/\//, '');

/** Target of *Open*, which is the deployment's address or, in the sandbox, the placeholder page. */
export const openedAt = ({ open_link, access_link }: Deployment): string | null => open_link ?? access_link;

/** Address of the server. For a customer's own server, the one they entered. */
export const addressOf = ({ instance_ip, vps_ip_address }: Deployment): string | null => vps_ip_address ?? instance_ip;

/**
 * Returns whether there are DNS records and certificates to check, which requires a domain and a current or future
 * server.
 */
export const hasRecords = ({
  domain,
  status,
  deleted_at,
  cancelling,
}: Pick<Deployment, 'domain' | 'status' | 'deleted_at' | 'cancelling'>): boolean =>
  domain !== null && deleted_at === null && !cancelling && !['FAILED', 'DESTROYING', 'DESTROYED'].includes(status);

export const isOwn = ({ server_type }: Pick<Deployment, 'server_type'>): boolean => server_type === 'vps';

export const ROW_LINK_ID = (id: number): string => `deployment-${id}`;
