/*
 * Producers and subscribers of events. The database enforces them (libs/database/row-security.ts). This file has no
 * imports, because the migrations read it too.
 */

export type Stream = 'account' | 'deployment' | 'payment' | 'balance' | 'support';

/** Streams that each service reads. A service receives every event of its streams, in order per aggregate. */
export const SUBSCRIPTIONS = {
  api: ['account', 'deployment', 'payment', 'balance', 'support'],
  provisioner: ['deployment', 'balance'],
  billing: ['deployment'],
} as const satisfies Record<string, readonly Stream[]>;

const BALANCE_EVENTS = ['balance.changed', 'balance.low', 'balance.grace_period_started', 'balance.depleted'] as const;

/**
 * Events that each service may write, by stream. The database rejects others, and a consumer handles only what the
 * database contains, so a service cannot publish events of another service.
 */
export const PRODUCERS = {
  api: {
    account: ['user.registered', 'user.verified', 'user.changed', 'user.deactivated'],
    deployment: [
      'deployment.created',
      'deployment.deletion_requested',
      'deployment.hand_over_requested',
      'deployment.restart_requested',
      'deployment.dns_retry_requested',
      'deployment.details_changed',
      'deployment.domain_changed',
      'deployment.change_requested',
      'deployment.ssh_keys_changed',
      'deployment.further_domain_changed',
      'deployment.support_level_changed',
      'deployment.move_changed',
      'deployment.status_changed',
    ],
    payment: [
      'payment.received',
      'payment.refunded',
      'payment.refund_failed',
      'payment.disputed',
      'payment.automatic_top_up_stopped',
    ],
    balance: BALANCE_EVENTS,
    support: ['support.message_received'],
  },
  provisioner: {
    deployment: [
      'deployment.status_changed',
      'deployment.server_missed',
      'deployment.resized',
      'deployment.update_ended',
      'deployment.reboot_ended',
      'deployment.address_changed',
      'deployment.reachability_changed',
      'deployment.incident_changed',
      'deployment.move_changed',
      'deployment.backup_changed',
      'deployment.backup_damaged',
      'deployment.backup_bucket_changed',
      'deployment.backup_quota_exceeded',
      'deployment.ssh_keys_applied',
      'deployment.further_domain_changed',
      'deployment.step_progressed',
    ],
  },
  billing: { deployment: ['deployment.status_changed'], balance: BALANCE_EVENTS },
} as const satisfies Record<string, Partial<Record<Stream, readonly string[]>>>;
