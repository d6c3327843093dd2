import { type Sent, toSent, type TwoFactorAnswer } from '@moorage/contracts';
import { DomainError, type Instant, iso, OWN_ACCOUNT_MESSAGES, readTypedCode } from '@moorage/domain';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { LoginLimits } from '../auth/login-limits';
import { SecurityMails } from '../auth/security-mails';
import { TwoFactor } from '../auth/two-factor';
import type { Caller } from '../http/call-input';
import { FieldsInvalid } from '../http/field-problems';
import { ApiSettings } from '../settings';
import { OwnAccount, type OwnAccountRow } from './own-account';

interface Proof {
  readonly password: string;
  readonly otp: string;
}

/** Two-factor authentication of one's own account: on, off, and its recovery codes. */
@Injectable()
export class SecondFactor {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly limits: LoginLimits,
    private readonly own: OwnAccount,
    private readonly securityMails: SecurityMails,
    private readonly settings: ApiSettings,
    private readonly twoFactor: TwoFactor,
  ) {}

  read({ userId }: Caller): Promise<TwoFactorAnswer> {
    return this.db.tx('account.two-factor', async (tx) => {
      const [row] = await tx.query<{ two_factor_at: Instant | null; is_admin: boolean }>(
        'select two_factor_at, is_admin from users where id = $1',
        [userId],
      );
      const since = row?.two_factor_at ?? null;
      return {
        is_on: since !== null,
        since: since === null ? null : iso(since),
        recovery_codes_left: await this.twoFactor.recoveryCodesLeft(tx, userId),
        is_required: row?.is_admin === true && this.settings.adminsNeedTwoFactor,
      };
    });
  }

  async begin(caller: Caller, password: string): Promise<{ secret: string; otpauth_url: string }> {
    const proven = await this.own.provePassword(caller, password, 'password');
    return this.db.tx('account.begin-two-factor', async (tx) => {
      const { email, has_two_factor } = await this.own.lockProven(tx, caller, proven);
      if (has_two_factor) throw isOn();
      return this.twoFactor.begin(tx, { userId: caller.userId, email });
    });
  }

  async confirm(caller: Caller, otp: string): Promise<{ recovery_codes: string[] }> {
    const { userId } = caller;
    await this.limits.takeCode(userId);
    const answer = await this.db.tx('account.confirm-two-factor', async (tx) => {
      const { has_two_factor } = await this.own.lock(tx, caller);
      if (has_two_factor) throw isOn();
      if (!(await this.twoFactor.isBegun(tx, userId)))
        throw new DomainError('ACCOUNT_STATE', OWN_ACCOUNT_MESSAGES.two_factor_not_begun);
      const at = await this.clock.now(tx);
      const typed = readTypedCode(otp);
      if (typed?.kind !== 'otp' || !(await this.twoFactor.useCode(tx, { userId, code: typed.code, at })))
        throw codeWrong();
      await this.twoFactor.turnOn(tx, { userId, at });
      await this.securityMails.post(tx, { userId, template: 'two_factor_on', facts: {}, at });
      return { recovery_codes: await this.twoFactor.renewRecoveryCodes(tx, { userId, at }) };
    });
    await this.limits.codeSucceeded(userId);
    return answer;
  }

  renewRecoveryCodes(caller: Caller, proof: Proof): Promise<{ recovery_codes: string[] }> {
    return this.proven('account.renew-recovery-codes', caller, proof, async (tx, at) => ({
      recovery_codes: await this.twoFactor.renewRecoveryCodes(tx, { userId: caller.userId, at }),
    }));
  }

  end(caller: Caller, proof: Proof): Promise<Sent> {
    return this.proven('account.end-two-factor', caller, proof, async (tx, at) => {
      const { userId } = caller;
      await this.securityMails.post(tx, { userId, template: 'two_factor_off', facts: {}, at });
      await this.twoFactor.turnOff(tx, userId);
      return toSent(OWN_ACCOUNT_MESSAGES.two_factor_ended);
    });
  }

  /** One transaction of a caller who has given the password and a code. */
  private async proven<A>(
    name: string,
    caller: Caller,
    { password, otp }: Proof,
    run: (tx: Tx, at: Instant) => Promise<A>,
  ): Promise<A> {
    const { userId } = caller;
    const hash = await this.own.provePassword(caller, password, 'password');
    await this.limits.takeCode(userId);
    const answer = await this.db.tx(name, async (tx) => {
      const row: OwnAccountRow = await this.own.lockProven(tx, caller, hash);
      if (!row.has_two_factor) throw new DomainError('ACCOUNT_STATE', OWN_ACCOUNT_MESSAGES.two_factor_off);
      const at = await this.clock.now(tx);
      if ((await this.twoFactor.use(tx, { userId, text: otp, at })) === null) throw codeWrong();
      return run(tx, at);
    });
    await this.limits.codeSucceeded(userId);
    return answer;
  }
}

const isOn = (): DomainError => new DomainError('ACCOUNT_STATE', OWN_ACCOUNT_MESSAGES.two_factor_on);
const codeWrong = (): FieldsInvalid => new FieldsInvalid([{ path: 'otp', message: OWN_ACCOUNT_MESSAGES.code_wrong }]);
