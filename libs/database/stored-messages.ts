import { asStored, type Facts, type Message } from '@moorage/domain';

/**
 * A message in columns, with the English text, its code and its facts. Code and facts are null in rows written before
 * 0116.
 */
export interface StoredMessage {
  readonly detail: string | null;
  readonly code: string | null;
  readonly facts: Facts | null;
}

export function storedMessage({ detail, code, facts }: StoredMessage): Message | null {
  if (detail === null) return null;
  return code === null ? asStored(detail) : { code, facts: facts ?? {}, detail };
}

/** Returns the failure of a row of `deployments` or `runs`. */
export const failureOf = (row: {
  readonly failure_reason: string | null;
  readonly failure_code: string | null;
  readonly failure_facts: Facts | null;
}): Message | null => storedMessage({ detail: row.failure_reason, code: row.failure_code, facts: row.failure_facts });

/** Converts a message to its columns, which are text, code, and facts as JSON. */
export const messageColumns = (message: Message | null): readonly [string | null, string | null, string | null] =>
  message === null ? [null, null, null] : [message.detail, message.code, JSON.stringify(message.facts)];

/** A row of `deployment_steps` or `vps_checks` that carries a message. */
export interface MessageRow {
  readonly message: string | null;
  readonly message_code: string | null;
  readonly message_facts: Facts | null;
}

export const messageOf = (row: MessageRow): Message | null =>
  storedMessage({ detail: row.message, code: row.message_code, facts: row.message_facts });
