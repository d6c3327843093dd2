import type { EventData } from '@moorage/contracts';
import type {
  BackupKind,
  Day,
  Message,
  ReleaseKind,
  RolloutState,
  SupportLevel,
  Texts,
  TopUpOffReason,
} from '@moorage/domain';

export interface Brand {
  readonly name: string;
  readonly supportEmail: string;
  readonly publicUrl: string;
}

/** A line written by a user. It is shown as text even if it looks like one of our links. */
export interface Written {
  readonly written: string;
}

/** A link with a label of its own, such as a top-up with its amount and date. The last one of an email is its button. */
export interface Choice {
  readonly label: string;
  readonly url: string;
}

export interface MailText {
  readonly subject: string;
  /** Paragraphs. A link is a paragraph of its own. */
  readonly text: readonly (string | Written | Choice)[];
}

/** A top-up that moves the end of the balance, with the time until which everything then runs, null without an end. */
export interface TopUpOffer {
  readonly amount_micros: string;
  readonly runs_until: string | null;
}

/**
 * End of the balance by the forecast at `at`, with the top-ups that move it, the larger one last. Emails and the console
 * offer the same top-ups.
 */
export interface BalanceEnd {
  readonly at: string;
  readonly ends_at: string;
  readonly top_ups: readonly TopUpOffer[];
}

/** A message to support. `user_id` is the user who was logged in. */
export interface SupportFacts {
  readonly name: string;
  readonly email: string;
  readonly subject: string;
  readonly message: string;
  readonly user_id: number | null;
  /** Absent in unsent emails of an older version. */
  readonly conversation_id?: number;
  readonly level?: SupportLevel;
  readonly due_at?: string | null;
  readonly deployment?: { readonly id: number; readonly client_name: string; readonly status: string } | null;
}

/** Access to a conversation: in the account, or by token for a visitor without an account. */
export interface ConversationPlace {
  readonly conversation_id: number;
  readonly token: string | null;
}

/** Login address and user of a deployment's package, without secrets or their names. */
export interface SignInFacts {
  readonly title: Texts;
  readonly address: string;
  readonly user: string | null;
}

/** Description by which a user recognises a card. */
export interface CardFacts {
  readonly brand: string;
  readonly last4: string;
}

/** A deployment that can be updated, with the most urgent kind of change that the update brings. */
export interface VersionOffer {
  readonly deployment_id: number;
  readonly client_name: string;
  readonly package_name: string;
  readonly from: string;
  readonly to: string;
  readonly kind: ReleaseKind;
  /** Version that brings security fixes, now or in an update after this one. Null if none is offered. */
  readonly security_in: string | null;
  readonly change: Texts;
}

/** An update that failed. `rollout` is the state of the version's rollout when the email was created. */
export interface FailedUpdate {
  readonly deployment_id: number;
  readonly client_name: string;
  readonly from: string;
  readonly to: string;
  readonly outcome: Exclude<EventData<'deployment.update_ended'>['outcome'], 'done'>;
  readonly is_automatic: boolean;
  readonly rollout: RolloutState;
  readonly reason: MailReason;
}

/** Reason of a failed deployment. Plain text in unsent emails of an older version. */
export type MailReason = Message | string | null;

/** Text that the reader is known to have chosen, or null if a stranger may have chosen it. */
type Chosen = string | null;

/** Facts of each email. Only text and ISO instants, because they are stored as sealed JSON. */
export interface MailFacts {
  verify_email: { username: Chosen; token: string };
  reset_password: { username: Chosen; token: string };
  password_changed: { username: Chosen };
  confirm_email: { username: Chosen; token: string };
  email_changed: { username: Chosen; email: string };
  two_factor_on: { username: Chosen };
  two_factor_off: { username: Chosen };
  recovery_code_used: { username: Chosen; left: number };
  recovery_codes_renewed: { username: Chosen };
  /** `paused` is true if no code is accepted for now. */
  code_refused: { username: Chosen; paused: boolean };
  /** An action of staff on a deployment, or on the account if `deployment` is null. */
  support_acted: { username: Chosen; act: Message; deployment: string | null; reason: string };
  /** `administers` and `ends_at` are absent in unsent emails of an older version. */
  api_token_made: { username: Chosen; label: string; writes: boolean; administers?: boolean; ends_at?: string };
  api_token_network: { username: Chosen; label: string; network: string; at: string };
  account_made: { username: Chosen; token: string };
  account_deactivated: { username: Chosen };
  account_reactivated: { username: Chosen };
  administrator_on: { username: Chosen };
  administrator_off: { username: Chosen };
  /** `reason` is absent in unsent emails of an older version. */
  deployments_removed: { username: Chosen; count: number; reason?: string; backups_until?: string | null };
  /** `days` is the number of days for which the export can be downloaded. */
  export_ready: { username: Chosen; days: number };
  welcome: { username: Chosen };
  /** Amounts of offered credits are in their display currency. */
  free_credits_granted: { username: Chosen; amount_micros: string; currency: string; ends_at: string };
  free_credits_code: { code: string; amount_micros: string; currency: string; ends_at: string };
  free_credits_rejected: { reason: string };
  /** Sent after a review. `other` is the other user of the referral. */
  referral_approved: { username: Chosen; other: string; amount_micros: string; currency: string; ends_at: string };
  free_credits_request: Omit<SupportFacts, 'name' | 'subject'>;
  /** `end` of this and the following emails is absent without an end, and in unsent emails of an older version. */
  payment_received: { amount_micros: string; end?: BalanceEnd };
  payment_refunded: { amount_micros: string; owed_micros: string; end?: BalanceEnd };
  payment_refund_failed: { amount_micros: string };
  payment_disputed: { amount_micros: string; owed_micros: string; won: boolean; end?: BalanceEnd };
  deployment_running: {
    deployment_id: number;
    client_name: string;
    package: string;
    /** Absent in unsent emails of an older version. */
    sign_in?: readonly SignInFacts[];
  };
  deployment_dns_failed: { deployment_id: number; client_name: string; reason: MailReason };
  /** The authority refused a certificate, or there is none for another reason. */
  deployment_certificate_refused: { deployment_id: number; client_name: string; reason: MailReason };
  deployment_failed: { deployment_id: number; client_name: string; reason: MailReason };
  backup_failed: { deployment_id: number; client_name: string; kind: BackupKind; reason: MailReason };
  backup_bucket_failed: { deployment_id: number; client_name: string; bucket: string; reason: MailReason };
  backup_quota_exceeded: { deployment_id: number; client_name: string; used_bytes: number; quota_bytes: number };
  backup_damaged: { deployment_id: number; client_name: string; reason: MailReason };
  deployment_restored: { deployment_id: number; client_name: string; taken_at: string; undo_until: string };
  /** `is_undo` is true if the earlier data could not be restored. */
  deployment_restore_failed: { deployment_id: number; client_name: string; is_undo: boolean; reason: MailReason };
  deployment_moved: { deployment_id: number; client_name: string; remove_at: string };
  deployment_move_failed: { deployment_id: number; client_name: string; reason: MailReason };
  deployment_updated: { deployment_id: number; client_name: string; from: string; to: string; is_automatic: boolean };
  deployment_update_failed: FailedUpdate;
  /** `offers` names the first of `count` deployments, the most urgent first. `security` of them get security fixes. */
  versions_available: { count: number; security: number; offers: readonly VersionOffer[] };
  /** `next` is the version to which the deployment can be updated, or null if none is offered. */
  version_support_ends: {
    deployment_id: number;
    client_name: string;
    package_name: string;
    version: string;
    until: Day;
    has_ended: boolean;
    next: string | null;
  };
  /** `hosts` lists the names that need records pointing to `to`. Empty without a domain. */
  deployment_address_changed: {
    deployment_id: number;
    client_name: string;
    from: string;
    to: string;
    hosts: readonly string[];
  };
  deployment_incident: { deployment_id: number; client_name: string; from: string; what: Message; remedy: Message };
  deployment_incident_ended: {
    deployment_id: number;
    client_name: string;
    from: string;
    to: string;
    what: Message;
  };
  automatic_top_up_changed: {
    username: Chosen;
    enabled: boolean;
    threshold: { kind: 'amount'; amount: number } | { kind: 'days'; days: number };
    amount_micros: string;
    cap_micros: string;
    card: CardFacts | null;
  };
  automatic_top_up_stopped: {
    reason: Exclude<TopUpOffReason, 'card_removed' | 'account'>;
    brand: string | null;
    last4: string | null;
    end?: BalanceEnd;
  };
  automatic_top_up_cap: { username: Chosen; cap_micros: string; end?: BalanceEnd };
  card_saved: CardFacts & { username: Chosen };
  /** `client_name` stops first, together with `more` others. */
  balance_low: Partial<BalanceEnd> & {
    ends_at: string;
    client_name: string;
    more?: number;
    locked_micros: string;
    backup_days?: number;
  };
  support_message: SupportFacts;
  package_request: SupportFacts;
  support_reply: SupportFacts;
  support_due: SupportFacts;
  support_received: ConversationPlace & { subject: Chosen; due_at: string | null };
  support_answered: ConversationPlace & { subject: Chosen; message: string };
  /** `at` and `top_ups` are absent in unsent emails of an older version. */
  grace_period_started: Partial<Pick<BalanceEnd, 'at' | 'top_ups'>> & {
    client_name: string;
    amount_micros: string;
    available_micros: string;
    ends_at: string;
    locked_micros: string;
    /** Number of days for which the last backup would be stored, absent if none would be created. */
    backup_days?: number;
  };
  balance_depleted: {
    client_name: string;
    amount_micros: string;
    /** Time at which the charge was due, absent in unsent emails of an older version. */
    due_at?: string;
    locked_micros: string;
    /** Location and expiry of the last backup, if one is created. */
    backup?: { deployment_id: number; until: string };
  };
  operator_alert: {
    kind: string;
    alerts: readonly { subject: string; since: string; facts: Readonly<Record<string, unknown>> }[];
    /** Number of further subjects. */
    more: number;
  };
  books_sealed: { day: string; accounts: number; through_id: string; hash: string; sealed_at: string };
}
export type MailName = keyof MailFacts;

/** Each email as a function of its facts, in one language. */
export type MailTexts = { readonly [N in MailName]: (facts: MailFacts[N], brand: Brand) => MailText };
