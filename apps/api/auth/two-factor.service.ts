import { createHash, createHmac } from 'node:crypto';
import { userTwoFactor, TWO_FACTOR_SECRET } from '@moorage/contracts';
import { auditLog, RecoveryCode } from '@moorage/database';
import {
  type Instant,
  OTP_DIGITS,
  OTP_PERIOD_S,
  readTypedCode,
  RECOVERY_CODE_LENGTH,
  RECOVERY_CODES,
  spelledRecoveryCode,
} from '@moorage/domain';
import { AccountSecrets, Random, type Secrets, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { Secret, TOTP } from 'otpauth';
import { In, IsNull } from 'typeorm';
import { ApiSettings } from '../settings';
import { endEarlierCredentials } from './factor-change';
import type { SecurityMails } from '../mail/security-mails.service';
import { usersRepository } from '../users-store/users.repository';

/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;
/** Number of periods by which the clock of a phone may be off. */
const WINDOW = 1;
/** Excludes letters and digits that are easily confused. */
const RECOVERY_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/**
 * The second factor: codes of an authenticator app (TOTP, RFC 6238), and recovery codes for when it is lost. The caller
 * holds the lock on the account's row, so that no code is accepted twice.
 */
@Injectable()
export class TwoFactor {
  constructor(
    private readonly random: Random,
    private readonly secrets: AccountSecrets,
    private readonly settings: ApiSettings,
  ) {}

  /** Creates a new secret, which replaces an unconfirmed one. */
  async begin(
    tx: Tx,
    { userId, email }: { userId: number; email: string },
  ): Promise<{ secret: string; otpauth_url: string }> {
    const secret = new Secret({ buffer: new Uint8Array(this.random.bytes(SECRET_BYTES)).buffer });
    await this.secrets.put(tx, userTwoFactor(userId), TWO_FACTOR_SECRET, secret.base32);
    return { secret: secret.base32, otpauth_url: this.totp(secret, email).toString() };
  }

  async isBegun(tx: Tx, userId: number): Promise<boolean> {
    return (await this.secrets.get(tx, userTwoFactor(userId), TWO_FACTOR_SECRET)) !== null;
  }

  /** Returns true if the code is currently valid in the app and was not used before, and marks it as used. */
  async useCode(tx: Tx, { userId, code, at }: { userId: number; code: string; at: Instant }): Promise<boolean> {
    const secret = await this.secrets.get(tx, userTwoFactor(userId), TWO_FACTOR_SECRET);
    if (secret === null) return false;
    const totp = this.totp(Secret.fromBase32(secret));
    const delta = totp.validate({ token: code, timestamp: at, window: WINDOW });
    if (delta === null) return false;
    return usersRepository.useTwoFactorStep(tx, userId, totp.counter({ timestamp: at }) + delta);
  }

  /** Uses the text that was entered if it is correct. Returns the kind of code, or null if it is neither kind. */
  async use(
    tx: Tx,
    { userId, text, at }: { userId: number; text: string; at: Instant },
  ): Promise<'code' | 'recovery_code' | null> {
    const typed = readTypedCode(text);
    if (typed === null) return null;
    if (typed.kind === 'otp') return (await this.useCode(tx, { userId, code: typed.code, at })) ? 'code' : null;
    const secret = await this.secrets.get(tx, userTwoFactor(userId), TWO_FACTOR_SECRET);
    if (secret === null) return null;
    const hashes = [hashOf(typed.code, secret), earlierHashOf(typed.code)];
    const { affected } = await tx
      .repository(RecoveryCode)
      .update({ user_id: userId, code_hash: In(hashes), used_at: IsNull() }, { used_at: at });
    return affected === 1 ? 'recovery_code' : null;
  }

  /** Creates new recovery codes, which replace the earlier ones. */
  async renewRecoveryCodes(tx: Tx, { userId, at }: { userId: number; at: Instant }): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, () =>
      this.random.text(RECOVERY_CODE_LENGTH, RECOVERY_LETTERS),
    );
    const secret = await this.secrets.get(tx, userTwoFactor(userId), TWO_FACTOR_SECRET);
    if (secret === null) throw new Error('expected a two-factor secret for the recovery codes, found none');
    await tx.execute('delete from recovery_codes where user_id = $1', [userId]);
    await tx
      .repository(RecoveryCode)
      .insert(codes.map((code) => ({ user_id: userId, code_hash: hashOf(code, secret), created_at: at })));
    return codes.map(spelledRecoveryCode);
  }

  recoveryCodesLeft(tx: Tx, userId: number): Promise<number> {
    return tx.repository(RecoveryCode).countBy({ user_id: userId, used_at: IsNull() });
  }

  async turnOn(tx: Tx, { userId, at }: { userId: number; at: Instant }): Promise<void> {
    await usersRepository.setTwoFactor(tx, userId, at);
  }

  /**
   * Deletes the secret and the recovery codes. The last step is retained, so that no old code is accepted when
   * two-factor authentication is enabled again.
   */
  async turnOff(tx: Tx, userId: number): Promise<void> {
    await turnOff(tx, { userId, secrets: this.secrets });
  }

  private totp(secret: Secret, label = ''): TOTP {
    return new TOTP({ issuer: this.settings.brand.name, label, secret, digits: OTP_DIGITS, period: OTP_PERIOD_S });
  }
}

async function turnOff(tx: Tx, { userId, secrets }: { userId: number; secrets: Secrets }): Promise<void> {
  await usersRepository.setTwoFactor(tx, userId, null);
  await secrets.remove(tx, userTwoFactor(userId));
  await tx.execute('delete from recovery_codes where user_id = $1', [userId]);
}

/**
 * Disables two-factor authentication by decision of an operator, for an owner who has lost the app and the recovery
 * codes. It is audited and emailed to the owner, and every session ends. Resolves with false if no account with this
 * address has a second factor.
 */
export async function resetTwoFactor(
  tx: Tx,
  {
    email,
    by,
    reason,
    at,
    secrets,
    securityMails,
  }: { email: string; by: string; reason: string; at: Instant; secrets: Secrets; securityMails: SecurityMails },
): Promise<boolean> {
  const user = await usersRepository.lockWithTwoFactor(tx, email);
  if (user === null) return false;
  await securityMails.post(tx, { userId: user.id, template: 'two_factor_off', facts: {}, at });
  await turnOff(tx, { userId: user.id, secrets });
  await endEarlierCredentials(tx, { userId: user.id, at });
  const subject = `user:${user.id}`;
  await auditLog.record(tx, { action: 'account.two_factor_reset', subject, facts: { by, reason }, at });
  return true;
}

/**
 * Hashes a recovery code with the secret of the authenticator app, which is sealed. Without the keys of the secrets, a
 * copy of the table cannot verify a guess. The secret lasts as long as the codes.
 */
function hashOf(code: string, secret: string): string {
  return createHmac('sha256', secret).update(`recovery code ${code}`).digest('base64url');
}

/** Hashes codes that were created before hashes had a key. They work until they are renewed. */
function earlierHashOf(code: string): string {
  return createHash('sha256').update(code).digest('base64url');
}
