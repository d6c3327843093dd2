import { EVENTS, type EventName, type Hint } from '@moorage/contracts';
import type { Envelope } from '@moorage/messaging';

/** A hint and whose it is. Administrators hear every deployment's too, since their lists show them. */
export interface AddressedHint {
  readonly userId: number;
  readonly hint: Hint;
}

/** What of an event a browser should look at again. A version is the row's own, or the event's place in its sequence. */
export function hintsOf({ event_name, sequence, data }: Envelope): AddressedHint[] {
  if (!(event_name in EVENTS)) return [];
  const name = event_name as EventName;
  const known = EVENTS[name].data.parse(data) as { user_id: number; deployment_id?: number; version?: number };
  const { user_id: userId, deployment_id: deploymentId } = known;
  const hint = (kind: Hint['kind'], id: number, version: number): AddressedHint => ({
    userId,
    hint: { kind, id, version },
  });
  switch (name) {
    case 'deployment.status_changed':
      return [hint('deployment', deploymentId ?? 0, known.version ?? sequence), hint('balance', userId, sequence)];
    case 'deployment.created':
    case 'deployment.deletion_requested':
    case 'deployment.restart_requested':
    case 'deployment.dns_retry_requested':
    case 'deployment.support_level_changed':
    case 'deployment.backup_requested':
    case 'deployment.server_missed':
      return [hint('deployment', deploymentId ?? 0, sequence)];
    case 'deployment.step_progressed':
      return [hint('step', deploymentId ?? 0, sequence)];
    case 'payment.received':
    case 'payment.refunded':
    case 'payment.disputed':
    case 'balance.changed':
    case 'balance.low':
      return [hint('balance', userId, sequence)];
    case 'balance.hold_opened':
    case 'balance.depleted':
      return [hint('balance', userId, sequence), hint('deployment', deploymentId ?? 0, sequence)];
    case 'user.registered':
    case 'user.verified':
    case 'user.deactivated':
      return [hint('account', userId, sequence)];
    // nobody's screen shows it
    case 'support.message_received':
      return [];
  }
}
