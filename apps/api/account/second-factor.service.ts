import { type Sent, toSent, type TwoFactorAnswer } from '@moorage/contracts';
import { auditLog } from '@moorage/database';
import { DomainError, type Instant, iso, OWN_ACCOUNT_MESSAGES, readTypedCode } from '@moorage/domain';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { endEarlierCredentials } from '../auth/factor-change';
import { LoginLimits } from '../auth/login-limits.policy';
import { SecurityEvents } from '../auth/security-events.service';
import { SecurityMails } from '../mail/security-mails.service';
import { Sessions } from '../auth/sessions.service';
import { TwoFactor } from '../auth/two-factor.service';
import type { Caller } from '../http/call-input';
import { FieldsInvalid } from '../http/field-problems';
import { ApiSettings } from '../settings';
import { usersRepository } from '../users-store/users.repository';
import { OwnAccount } from './own-account.service';

/**
 * Enables and disables two-factor authentication of the caller's own account and renews its recovery codes. Every
 * change ends the other sessions and revokes API tokens with administrator rights. The calls require recent
 * authentication, which verifies password and code.
 */
@Injectable()
export class SecondFactor {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly events: SecurityEvents,
    private readonly limits: LoginLimits,
    private readonly own: OwnAccount,
    private readonly securityMails: SecurityMails,
    private readonly sessions: Sessions,
    private readonly settings: ApiSettings,
    private readonly twoFactor: TwoFactor,
  ) {}

  read({ userId }: Caller): Promise<TwoFactorAnswer> {
    return this.db.tx('account.two-factor', async (tx) => {
      const row = await usersRepository.find(tx, userId, ['two_factor_at', 'is_admin']);
      const since = row?.two_factor_at ?? null;
      return {
        is_on: since !== null,
        since: since === null ? null : iso(since),
        recovery_codes_left: await this.twoFactor.recoveryCodesLeft(tx, userId),
        is_required: row?.is_admin === true && this.settings.adminsNeedTwoFactor,
      };
    });
  }

  begin(caller: Caller): Promise<{ secret: string; otpauth_url: string }> {
    return this.db.tx('account.begin-two-factor', async (tx) => {
      const { email, two_factor_at } = await this.own.lock(tx, caller);
      if (two_factor_at !== null) throw isOn();
      return this.twoFactor.begin(tx, { userId: caller.userId, email });
    });
  }

  async confirm(caller: Caller, otp: string): Promise<{ recovery_codes: string[] }> {
    const { userId, credentialId: id } = caller;
    await this.limits.takeCode(userId);
    const answer = await this.db.tx('account.confirm-two-factor', async (tx) => {
      const { two_factor_at } = await this.own.lock(tx, caller);
      if (two_factor_at !== null) throw isOn();
      if (!(await this.twoFactor.isBegun(tx, userId)))
        throw new DomainError('ACCOUNT_STATE', OWN_ACCOUNT_MESSAGES.two_factor_not_begun);
      const at = await this.clock.now(tx);
      const typed = readTypedCode(otp);
      if (typed?.kind !== 'otp' || !(await this.twoFactor.useCode(tx, { userId, code: typed.code, at }))) {
        this.events.record('code_refused');
        throw codeWrong();
      }
      await this.twoFactor.turnOn(tx, { userId, at });
      await this.sessions.gaveSecondFactor(tx, { id, userId });
      await this.changed(tx, caller, { template: 'two_factor_on', at });
      return { recovery_codes: await this.twoFactor.renewRecoveryCodes(tx, { userId, at }) };
    });
    await this.limits.codeSucceeded(userId);
    return answer;
  }

  renewRecoveryCodes(caller: Caller): Promise<{ recovery_codes: string[] }> {
    return this.db.tx('account.renew-recovery-codes', async (tx) => {
      const at = await this.lockOn(tx, caller);
      await this.changed(tx, caller, { template: 'recovery_codes_renewed', at });
      return { recovery_codes: await this.twoFactor.renewRecoveryCodes(tx, { userId: caller.userId, at }) };
    });
  }

  end(caller: Caller): Promise<Sent> {
    return this.db.tx('account.end-two-factor', async (tx) => {
      const at = await this.lockOn(tx, caller);
      await this.changed(tx, caller, { template: 'two_factor_off', at });
      await this.twoFactor.turnOff(tx, caller.userId);
      return toSent(OWN_ACCOUNT_MESSAGES.two_factor_ended);
    });
  }

  /** Locks the row of an account that has a second factor. */
  private async lockOn(tx: Tx, caller: Caller): Promise<Instant> {
    const { two_factor_at } = await this.own.lock(tx, caller);
    if (two_factor_at === null) throw new DomainError('ACCOUNT_STATE', OWN_ACCOUNT_MESSAGES.two_factor_off);
    return this.clock.now(tx);
  }

  /** Ends credentials from before the change, so that they do not profit from it, and notifies the owner. */
  private async changed(
    tx: Tx,
    { userId, credentialId: ownSessionId }: Caller,
    { template, at }: { template: 'two_factor_on' | 'two_factor_off' | 'recovery_codes_renewed'; at: Instant },
  ): Promise<void> {
    await endEarlierCredentials(tx, { userId, ownSessionId, at });
    await this.securityMails.post(tx, { userId, template, facts: {}, at });
    await auditLog.record(tx, {
      actor: userId,
      action: `account.${template}`,
      subject: `user:${userId}`,
      facts: {},
      at,
    });
  }
}

const isOn = (): DomainError => new DomainError('ACCOUNT_STATE', OWN_ACCOUNT_MESSAGES.two_factor_on);
const codeWrong = (): FieldsInvalid => new FieldsInvalid([{ path: 'otp', message: OWN_ACCOUNT_MESSAGES.code_wrong }]);
