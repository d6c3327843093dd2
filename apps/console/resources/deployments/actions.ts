import { actionsOf, type DeploymentAction, MINUTE_MS, WHILE_MOVING } from '@moorage/domain';
import { type Deployment, useDns } from '../../data/deployments';
import { useServerNow } from '../../data/server-now';
import { useCanChange, useSession } from '../../data/session';
import { useText } from '../../texts/console-i18n';
import { clockTime } from '../../ui/dates';
import { type DeploymentTextKey, hasRecords, isSource, lockedKey } from '../../parts/deployment/deployment-messages';

/** Actions of a row and of the drawer's footer, in display order. All other actions are elsewhere. */
export type OfferedAction = Exclude<DeploymentAction, (typeof ELSEWHERE)[number]>;
const ELSEWHERE = [
  'change_level',
  'cancel',
  'change_domain',
  'configure',
  'hand_over',
  'resize',
  'update',
  'manage_keys',
  'restart_container',
  'manage_domains',
  'restore_deleted',
  'move',
  'clone',
  'reboot',
  'start_server',
] as const satisfies readonly DeploymentAction[];

const isOffered = (action: DeploymentAction): action is OfferedAction => !ELSEWHERE.some((other) => other === action);

interface ActionOffer {
  readonly action: OfferedAction;
  readonly label: DeploymentTextKey;
  /** Reason why it is disabled, or null. */
  readonly off: DeploymentTextKey | null;
  readonly danger: boolean;
}

/** Actions for verified accounts only (decision 18). Anyone may delete. */
const NEEDS_VERIFIED: readonly OfferedAction[] = ['restart', 'retry_dns'];

/**
 * Returns the actions of a deployment by its state (specification section 4). While it is in flight, the next action is
 * shown disabled with the reason.
 */
function offersOf(
  deployment: Pick<Deployment, 'id' | 'status' | 'deleted_at' | 'deletion_locked' | 'move'>,
  { isVerified }: { isVerified: boolean },
): readonly ActionOffer[] {
  const locked = lockedKey(deployment);
  if (locked !== null) return [offer('deactivate', locked)];
  const { status, deleted_at, deletion_locked } = deployment;
  const isMoving = isSource(deployment);
  const allowed: readonly DeploymentAction[] = deleted_at === null ? actionsOf(status) : ['delete'];
  const actions = allowed.filter((action) => !isMoving || WHILE_MOVING.includes(action));
  const off = (action: OfferedAction): DeploymentTextKey | null => {
    if (removes(action)) return deletion_locked ? 'deployments.locked.deletion' : null;
    return !isVerified && NEEDS_VERIFIED.includes(action) ? 'deployments.locked.unverified' : null;
  };
  return actions
    .filter(isOffered)
    .map((action) =>
      action === 'delete' && status === 'FAILED' && deleted_at === null
        ? { ...offer(action, off(action)), label: 'deployments.action.delete_permanent' }
        : offer(action, off(action)),
    );
}

const removes = (action: OfferedAction): boolean => action === 'delete' || action === 'deactivate';

function offer(action: OfferedAction, off: DeploymentTextKey | null): ActionOffer {
  return { action, off, label: `deployments.action.${action}`, danger: removes(action) };
}

/** Returns the actions the user can take. There are none while an administrator views the account. */
export function useOffers(deployment: Parameters<typeof offersOf>[0]): readonly ActionOffer[] {
  const isVerified = useIsVerified();
  return useCanChange() ? offersOf(deployment, { isVerified }) : [];
}

export const useIsVerified = (): boolean => useSession()?.user?.is_verified !== false;

/** Returns whether the user owns the deployment. Administrators cannot change other users' name, domain and lock. */
export const useIsOwner = ({ user_id }: Pick<Deployment, 'user_id'>): boolean => useSession()?.user?.id === user_id;

/** Returns whether the owner is using the console, as opposed to an administrator who views the account. */
export function useActsAsOwner(deployment: Pick<Deployment, 'user_id'>): boolean {
  const isOwner = useIsOwner(deployment);
  return useCanChange() && isOwner;
}

const LIMIT_TICK_MS = 5_000;

/** Returns when the rate limit allows the next restart or retry, or null if it does now. */
export function useRepairLimit(deployment: Deployment): string | null {
  const t = useText();
  const dns = useDns(deployment, { hasDomain: hasRecords(deployment), waits: false });
  const now = useServerNow(dns.data?.now, dns.dataUpdatedAt, LIMIT_TICK_MS);
  const next = dns.data?.next_repair_at ?? null;
  if (next === null || Date.parse(next) <= now) return null;
  // The limit ends within the minute shown, so the next full minute is always correct.
  return t('deployments.certificate.wait', { time: clockTime(new Date(Date.parse(next) + MINUTE_MS).toISOString()) });
}
