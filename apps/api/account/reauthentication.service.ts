import { CONSTANTS, iso, OWN_ACCOUNT_MESSAGES } from '@moorage/domain';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { LoginLimits } from '../auth/login-limits.policy';
import { RefusedCodes } from '../auth/refused-codes.service';
import { Sessions } from '../auth/sessions.service';
import { TwoFactor } from '../auth/two-factor.service';
import type { Caller } from '../http/call-input';
import { FieldsInvalid } from '../http/field-problems';
import { OwnAccount } from './own-account.service';

/** Confirms the password and the second factor of a session again, which sensitive calls need. */
@Injectable()
export class Reauthentication {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly limits: LoginLimits,
    private readonly own: OwnAccount,
    private readonly refusedCodes: RefusedCodes,
    private readonly sessions: Sessions,
    private readonly twoFactor: TwoFactor,
  ) {}

  /** Throws FIELDS_INVALID at `password` or `otp`. A code is required if two-factor authentication is enabled. */
  async run(caller: Caller, { password, otp }: { password: string; otp?: string | null | undefined }) {
    const { userId, credentialId: id } = caller;
    const proven = await this.own.provePassword(caller, password, 'password');
    const code = otp ?? '';
    if (code !== '') await this.limits.takeCode(userId);
    const at = this.clock.localNow();
    const isConfirmed = await this.db.tx('account.reauthenticate', async (tx) => {
      const { two_factor_at } = await this.own.lockProven(tx, caller, proven);
      const needsCode = two_factor_at !== null;
      if (needsCode && (await this.twoFactor.use(tx, { userId, text: code, at: await this.clock.now(tx) })) === null)
        return false;
      await this.sessions.authenticated(tx, { id, userId, gaveSecondFactor: needsCode, at });
      return true;
    });
    if (!isConfirmed) {
      if (code !== '') await this.refusedCodes.report(userId);
      throw new FieldsInvalid([
        { path: 'otp', message: code === '' ? OWN_ACCOUNT_MESSAGES.code_needed : OWN_ACCOUNT_MESSAGES.code_wrong },
      ]);
    }
    if (code !== '') await this.limits.codeSucceeded(userId);
    return { recent_until: iso(at + CONSTANTS.recentAuthenticationMs) };
  }
}
