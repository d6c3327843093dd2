import {
  BACKUP_KINDS,
  BACKUP_STATES,
  BUCKET_STATES,
  CHANGE_KINDS,
  DEPLOYMENT_STATUSES,
  FURTHER_DOMAIN_STATES,
  INCIDENT_KINDS,
  MOVE_KINDS,
  MOVE_STATES,
  TOP_UP_OFF_REASONS,
} from '@moorage/domain';
import { z } from 'zod';
import { message } from './message';
import type { Stream } from './streams';

/** All events exchanged between processes, with their stream, version and data. They must not contain secrets. */
const id = z.int().positive();
const micros = z.string().regex(/^-?\d{1,19}$/);
const instant = z.iso.datetime();
const day = z.iso.date();
const status = z.enum(DEPLOYMENT_STATUSES);
const deployment = { deployment_id: id, user_id: id };

export const EVENTS = {
  'user.registered': { stream: 'account', version: 1, data: z.object({ user_id: id }) },
  'user.verified': { stream: 'account', version: 1, data: z.object({ user_id: id }) },
  'user.changed': { stream: 'account', version: 1, data: z.object({ user_id: id }) },
  'user.deactivated': { stream: 'account', version: 1, data: z.object({ user_id: id }) },

  'deployment.created': {
    stream: 'deployment',
    version: 1,
    data: z.object({ ...deployment, package: z.string(), server_type: z.enum(['new', 'vps']) }),
  },
  'deployment.deletion_requested': {
    stream: 'deployment',
    version: 1,
    data: z.object({ ...deployment, reason: z.enum(['deleted', 'account']) }),
  },
  'deployment.hand_over_requested': { stream: 'deployment', version: 1, data: z.object(deployment) },
  'deployment.restart_requested': { stream: 'deployment', version: 1, data: z.object(deployment) },
  'deployment.dns_retry_requested': { stream: 'deployment', version: 1, data: z.object(deployment) },
  'deployment.details_changed': { stream: 'deployment', version: 1, data: z.object(deployment) },
  'deployment.domain_changed': { stream: 'deployment', version: 1, data: z.object(deployment) },
  'deployment.change_requested': {
    stream: 'deployment',
    version: 1,
    data: z.object({ ...deployment, kind: z.enum(CHANGE_KINDS) }),
  },
  /** Its owner added or removed SSH keys, which the server does not have yet. */
  'deployment.ssh_keys_changed': { stream: 'deployment', version: 1, data: z.object(deployment) },
  /** An attempt to apply the SSH keys to its server succeeded, or failed with a reason. */
  'deployment.ssh_keys_applied': {
    stream: 'deployment',
    version: 1,
    data: z.object({ ...deployment, failure: message.nullable() }),
  },
  'deployment.support_level_changed': {
    stream: 'deployment',
    version: 1,
    data: z.object({ ...deployment, from_level: z.int(), to_level: z.int() }),
  },
  'deployment.status_changed': {
    stream: 'deployment',
    version: 1,
    data: z.object({
      ...deployment,
      client_name: z.string(),
      package: z.string(),
      from: status.nullable(),
      to: status,
      version: z.int(),
      /** `failure` in English. */
      failure_reason: z.string().nullable(),
      /** Missing in events of older versions. */
      failure: message.nullable().optional(),
      billable_from: instant.nullable(),
      billable_to: instant.nullable(),
    }),
  },
  /**
   * A move or clone has started, reached its next state, or ended. The deployment is the new one.
   * `remove_at` is the time at which the old server is removed, and `failure` the reason why the new one failed.
   */
  'deployment.move_changed': {
    stream: 'deployment',
    version: 1,
    data: z.object({
      ...deployment,
      client_name: z.string(),
      kind: z.enum(MOVE_KINDS),
      state: z.enum(MOVE_STATES),
      source_id: id,
      remove_at: instant.nullable(),
      failure: message.nullable(),
    }),
  },
  /**
   * An update has ended: `done`, `undone` with the data from before, `not_begun`, or `not_undone` if the previous
   * version could not be started again.
   */
  'deployment.update_ended': {
    stream: 'deployment',
    version: 1,
    data: z.object({
      ...deployment,
      client_name: z.string(),
      from: z.string(),
      to: z.string(),
      outcome: z.enum(['done', 'undone', 'not_begun', 'not_undone']),
      is_automatic: z.boolean(),
      failure: message.nullable(),
    }),
  },
  /** A requested reboot of the server has ended. */
  'deployment.reboot_ended': {
    stream: 'deployment',
    version: 1,
    data: z.object({ ...deployment, outcome: z.enum(['done', 'failed']) }),
  },
  /** A backup has started, ended, or been removed. `failure` is the reason for a final failure. */
  'deployment.backup_changed': {
    stream: 'deployment',
    version: 1,
    data: z.object({
      ...deployment,
      client_name: z.string(),
      backup_id: id,
      kind: z.enum(BACKUP_KINDS),
      state: z.enum(BACKUP_STATES),
      failure: message.nullable(),
    }),
  },
  /** A check or a restore test found unreadable backups, after an earlier check or test that found none. */
  'deployment.backup_damaged': {
    stream: 'deployment',
    version: 1,
    data: z.object({ ...deployment, client_name: z.string(), failure: message }),
  },
  /**
   * A check of the customer's bucket, or a copy to it, succeeded or failed. `worked_before` marks the first failure
   * after a success.
   */
  'deployment.backup_bucket_changed': {
    stream: 'deployment',
    version: 1,
    data: z.object({
      ...deployment,
      client_name: z.string(),
      bucket: z.string(),
      state: z.enum(BUCKET_STATES),
      failure: message.nullable(),
      worked_before: z.boolean(),
    }),
  },
  /**
   * A further domain was added, reached another state or was removed. The api publishes what the owner requests, and
   * the provisioner what has been reached.
   */
  'deployment.further_domain_changed': {
    stream: 'deployment',
    version: 1,
    data: z.object({
      ...deployment,
      host: z.string(),
      state: z.enum([...FURTHER_DOMAIN_STATES, 'removed']),
    }),
  },
  /** The backups exceed the quota of the level, so the oldest are removed. Published at most once a week. */
  'deployment.backup_quota_exceeded': {
    stream: 'deployment',
    version: 1,
    data: z.object({ ...deployment, client_name: z.string(), used_bytes: z.int(), quota_bytes: z.int() }),
  },
  /** The provider's responses do not show its server and are not trusted. `since` is null once they show it again. */
  'deployment.server_missed': {
    stream: 'deployment',
    version: 1,
    data: z.object({ ...deployment, since: instant.nullable() }),
  },
  /** The provider has confirmed the size that the change (`deployment_changes`) requested. Its price begins. */
  'deployment.resized': {
    stream: 'deployment',
    version: 1,
    data: z.object({ ...deployment, change_id: id, confirmed_at: instant }),
  },
  /** Its server has a new public address at the provider. The records of the names in `hosts` must be updated. */
  'deployment.address_changed': {
    stream: 'deployment',
    version: 1,
    data: z.object({
      ...deployment,
      client_name: z.string(),
      from: z.ipv4(),
      to: z.ipv4(),
      hosts: z.array(z.string()),
    }),
  },
  /** It responds at its address again, or no longer does. */
  'deployment.reachability_changed': {
    stream: 'deployment',
    version: 1,
    data: z.object({ ...deployment, state: z.enum(['reachable', 'unreachable']), at: instant }),
  },
  /**
   * An incident began, returned within minutes of its end, ended, or settled, which means that it can no longer return.
   * `told` follows the beginning when the owner is informed of it, and support for Level 3.
   */
  'deployment.incident_changed': {
    stream: 'deployment',
    version: 1,
    data: z.object({
      ...deployment,
      client_name: z.string(),
      incident_id: id,
      kind: z.enum(INCIDENT_KINDS),
      /** Container or host name, or empty. */
      subject: z.string(),
      facts: z.record(z.string(), z.union([z.string(), z.number()])),
      change: z.enum(['began', 'returned', 'told', 'ended', 'settled']),
      began_at: instant,
      ended_at: instant.nullable(),
      /** The owner was informed of the beginning, so the owner is also informed of the end. */
      was_told: z.boolean(),
      at: instant,
    }),
  },
  'deployment.step_progressed': {
    stream: 'deployment',
    version: 1,
    data: z.object({
      ...deployment,
      step: z.string(),
      outcome: z.enum(['started', 'done', 'waiting', 'failed', 'retrying']),
    }),
  },

  'payment.received': {
    stream: 'payment',
    version: 1,
    data: z.object({ user_id: id, amount_micros: micros, checkout_session_id: z.string() }),
  },
  'payment.refunded': {
    stream: 'payment',
    version: 1,
    data: z.object({ user_id: id, amount_micros: micros, owed_micros: micros }),
  },
  'payment.refund_failed': { stream: 'payment', version: 1, data: z.object({ user_id: id, amount_micros: micros }) },
  'payment.disputed': {
    stream: 'payment',
    version: 1,
    data: z.object({ user_id: id, amount_micros: micros, owed_micros: micros, won: z.boolean() }),
  },

  /** Automatic top-up was turned off without its owner. */
  'payment.automatic_top_up_stopped': {
    stream: 'payment',
    version: 2,
    data: z.object({
      user_id: id,
      reason: z.enum(TOP_UP_OFF_REASONS).exclude(['card_removed', 'account']),
      /** Card, or null if the reason does not concern it. */
      brand: z.string().nullable(),
      last4: z.string().nullable(),
    }),
  },

  'balance.changed': { stream: 'balance', version: 1, data: z.object({ user_id: id, regular_micros: micros }) },
  'balance.low': {
    stream: 'balance',
    version: 1,
    data: z.object({
      user_id: id,
      days: z.union([z.literal(1), z.literal(3), z.literal(7)]),
      ends_at: instant,
      deployment_id: id,
      client_name: z.string(),
      locked_micros: micros,
    }),
  },
  'balance.grace_period_started': {
    stream: 'balance',
    version: 1,
    data: z.object({
      ...deployment,
      client_name: z.string(),
      day,
      amount_micros: micros,
      available_micros: micros,
      ends_at: instant,
      locked_micros: micros,
    }),
  },
  'balance.depleted': {
    stream: 'balance',
    version: 1,
    data: z.object({
      ...deployment,
      client_name: z.string(),
      day,
      due_at: instant,
      amount_micros: micros,
      locked_micros: micros,
    }),
  },

  'support.message_received': { stream: 'support', version: 1, data: z.object({ message_id: id }) },
} as const satisfies Record<string, { stream: Stream; version: number; data: z.ZodType }>;

export type EventName = keyof typeof EVENTS;
/** Events that concern an account. */
export type AccountEventName = {
  [N in EventName]: EventData<N> extends { user_id: number } ? N : never;
}[EventName];
export type EventData<N extends EventName> = z.infer<(typeof EVENTS)[N]['data']>;

/** Data of a change of an incident. */
export type IncidentChanged = EventData<'deployment.incident_changed'>;

/** Creates an event and validates its data against the schema, so that invalid data fails at its source. */
export function event<N extends EventName>(name: N, aggregateId: number, data: EventData<N>) {
  const { stream, version, data: schema } = EVENTS[name];
  return {
    stream,
    event_name: name,
    version,
    aggregate_id: String(aggregateId),
    data: schema.parse(data) as EventData<N>,
  };
}
