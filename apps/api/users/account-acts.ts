import { auditLog, type AuditAction } from '@moorage/database';
import { type Instant, type Message, USERS_MESSAGES } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { SecurityMails } from '../auth/security-mails';
import { FieldsInvalid } from '../http/field-problems';

interface Taking {
  readonly actor: number;
  readonly userId: number;
  readonly action: AuditAction;
  readonly facts: object;
  /** As the mail says it. */
  readonly act: Message;
  readonly reason: string | null | undefined;
  /** The field of the call in which the reason stands. */
  readonly field: string;
  readonly at: Instant;
}

/** The one way in which staff takes something from an account: with a reason, which is recorded and mailed to its owner. */
@Injectable()
export class AccountActs {
  constructor(private readonly securityMails: SecurityMails) {}

  /** Throws FIELDS_INVALID where the reason is missing. */
  async take(tx: Tx, { actor, userId, action, facts, act, reason, field, at }: Taking): Promise<void> {
    const given = reasonIn(reason, field);
    await auditLog.record(tx, { actor, action, subject: `user:${userId}`, facts, reason: given, at });
    const told = { act, deployment: null, reason: given };
    await this.securityMails.post(tx, { userId, template: 'support_acted', facts: told, at });
  }
}

/** Returns the reason of an act on somebody else's account. Throws FIELDS_INVALID where there is none. */
export function reasonIn(reason: string | null | undefined, field = 'reason'): string {
  const given = reason?.trim() ?? '';
  if (given === '') throw new FieldsInvalid([{ path: field, message: USERS_MESSAGES.act_reason_missing }]);
  return given;
}
