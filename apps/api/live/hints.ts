import type { EventName, Hint } from '@moorage/contracts';
import type { ProductEvent } from '@moorage/runtime';

/**
 * A hint and its recipient. Administrators also receive the hints of all deployments and conversations, which their
 * lists show.
 */
export interface AddressedHint {
  readonly userId: number;
  readonly hint: Hint;
}

/** Fields of any event that hints need. */
interface About {
  readonly sequence: number;
  readonly data: { readonly user_id: number };
}
interface AboutDeployment extends About {
  readonly data: { readonly user_id: number; readonly deployment_id: number };
}

const account = ({ sequence, data }: About): AddressedHint[] => [
  { userId: data.user_id, hint: { kind: 'account', id: data.user_id, version: sequence } },
];
const balance = ({ sequence, data }: About): AddressedHint[] => [
  { userId: data.user_id, hint: { kind: 'balance', id: data.user_id, version: sequence } },
];
const deployment = ({ sequence, data }: AboutDeployment): AddressedHint[] => [
  { userId: data.user_id, hint: { kind: 'deployment', id: data.deployment_id, version: sequence } },
];
const step = ({ sequence, data }: AboutDeployment): AddressedHint[] => [
  { userId: data.user_id, hint: { kind: 'step', id: data.deployment_id, version: sequence } },
];

/**
 * Data that a browser reloads after each event. The version is the event's position in its sequence. A change of status
 * has the version of the row.
 */
export const HINTS: { readonly [Name in EventName]: (event: ProductEvent<Name>) => AddressedHint[] } = {
  'user.registered': account,
  'user.verified': account,
  'user.changed': account,
  'user.deactivated': account,
  'deployment.created': deployment,
  'deployment.deletion_requested': deployment,
  'deployment.hand_over_requested': deployment,
  'deployment.restart_requested': deployment,
  'deployment.dns_retry_requested': deployment,
  'deployment.details_changed': deployment,
  'deployment.domain_changed': deployment,
  'deployment.change_requested': deployment,
  'deployment.ssh_keys_changed': deployment,
  'deployment.ssh_keys_applied': deployment,
  'deployment.support_level_changed': deployment,
  'deployment.status_changed': (event) => [
    ...deployment({ ...event, sequence: event.data.version }),
    ...balance(event),
  ],
  'deployment.server_missed': deployment,
  'deployment.resized': (event) => [...deployment(event), ...balance(event)],
  'deployment.update_ended': deployment,
  'deployment.reboot_ended': deployment,
  'deployment.address_changed': deployment,
  'deployment.reachability_changed': deployment,
  'deployment.incident_changed': deployment,
  // Both pages show it.
  'deployment.move_changed': (event) => [
    ...deployment(event),
    ...deployment({ ...event, data: { ...event.data, deployment_id: event.data.source_id } }),
  ],
  'deployment.backup_changed': deployment,
  'deployment.backup_damaged': deployment,
  'deployment.backup_bucket_changed': deployment,
  'deployment.backup_quota_exceeded': deployment,
  'deployment.further_domain_changed': deployment,
  'deployment.step_progressed': step,
  'payment.received': balance,
  'payment.refunded': balance,
  'payment.refund_failed': balance,
  'payment.disputed': balance,
  'payment.automatic_top_up_stopped': balance,
  'balance.changed': balance,
  'balance.low': balance,
  'balance.grace_period_started': (event) => [...balance(event), ...deployment(event)],
  'balance.depleted': (event) => [...balance(event), ...deployment(event)],
  // The writer of a message sends the hint.
  'support.message_received': () => [],
};
