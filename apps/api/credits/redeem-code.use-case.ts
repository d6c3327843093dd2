import type { CreditAnswer } from '@moorage/contracts';
import { auditLog } from '@moorage/database';
import { CREDITS_MESSAGES, type Message, refusalToMoveMoney } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/call-input';
import { FieldsInvalid } from '../http/field-problems';
import { usersRepository } from '../users-store/users.repository';
import { creditAnswer } from './credit-answer';
import { FreeCreditCodes } from './free-credit-codes.service';

/** Redeems the emailed code of a request for free credits in an existing account (decisions 13). */
@Injectable()
export class RedeemCode {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly ledger: Ledger,
    private readonly codes: FreeCreditCodes,
  ) {}

  run({ userId }: Caller, code: string): Promise<CreditAnswer> {
    return this.db.tx('credits.redeem', async (tx) => {
      await this.ledger.lock(tx, userId);
      const at = await this.clock.now(tx);
      const found = await this.codes.find(tx, { code, at, lock: true });
      if (found === null) throw refused(await whyUnknown(tx, { userId, code }));
      if (found.refusal !== null) throw refused(found.refusal);
      const own = refusalToMoveMoney({ isSelf: found.approvedBy === userId });
      if (own !== null) throw refused(own);
      if (!(await this.codes.claim(tx, { userId, at }))) throw refused(CREDITS_MESSAGES.had_before);
      const creditId = await this.codes.pay(tx, found.id, { userId, at });
      const facts = { credit_id: creditId, request_id: found.id };
      await auditLog.record(tx, {
        actor: userId,
        action: 'free_credits.redeemed',
        subject: `user:${userId}`,
        facts,
        at,
      });
      const [credit] = await this.ledger.credits(tx, { userId, at, ids: [creditId] });
      if (credit === undefined) throw new Error('the granted credit does not exist');
      return creditAnswer(credit);
    });
  }
}

const refused = (message: Message): FieldsInvalid => new FieldsInvalid([{ path: 'code', message }]);

/**
 * Returns why a code is unknown. Users often confuse the codes: a referral code is only valid at sign-up, and their own
 * is meant for others.
 */
async function whyUnknown(tx: Tx, { userId, code }: { userId: number; code: string }): Promise<Message> {
  const owner = await usersRepository.findByReferralCode(tx, code, ['id']);
  if (owner === null) return CREDITS_MESSAGES.code_unknown;
  return owner.id === userId ? CREDITS_MESSAGES.code_own : CREDITS_MESSAGES.code_referral;
}
