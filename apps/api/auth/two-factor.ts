import { createHash, createHmac } from 'node:crypto';
import { userTwoFactor, TWO_FACTOR_SECRET } from '@moorage/contracts';
import { auditLog, RecoveryCode } from '@moorage/database';
import {
  type Instant,
  iso,
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
import type { SecurityMails } from './security-mails';

/** RFC 4226 wants 160 bits. */
const SECRET_BYTES = 20;
/** A phone's clock may be this many periods off. */
const WINDOW = 1;
/** No letters and digits that are mistaken for each other. */
const RECOVERY_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/**
 * The second factor: codes of an authenticator app (TOTP, RFC 6238), and recovery codes for when it is lost. Who calls holds
 * the lock of the account's row, so that no code is taken twice.
 */
@Injectable()
export class TwoFactor {
  constructor(
    private readonly random: Random,
    private readonly secrets: AccountSecrets,
    private readonly settings: ApiSettings,
  ) {}

  /** A new secret; it takes the place of one that was not confirmed. */
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

  /** Is it a code of the app for this moment that was not used before? If so, it is used now. */
  async useCode(tx: Tx, { userId, code, at }: { userId: number; code: string; at: Instant }): Promise<boolean> {
    const secret = await this.secrets.get(tx, userTwoFactor(userId), TWO_FACTOR_SECRET);
    if (secret === null) return false;
    const totp = this.totp(Secret.fromBase32(secret));
    const delta = totp.validate({ token: code, timestamp: at, window: WINDOW });
    if (delta === null) return false;
    const used = await tx.execute(
      'update users set two_factor_step = $2 where id = $1 and coalesce(two_factor_step, 0) < $2',
      [userId, totp.counter({ timestamp: at }) + delta],
    );
    return used === 1;
  }

  /** What was typed, used if it is right: as which kind of code; null: it is neither. */
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

  /** New recovery codes in the place of the earlier ones. */
  async renewRecoveryCodes(tx: Tx, { userId, at }: { userId: number; at: Instant }): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, () =>
      this.random.text(RECOVERY_CODE_LENGTH, RECOVERY_LETTERS),
    );
    const secret = await this.secrets.get(tx, userTwoFactor(userId), TWO_FACTOR_SECRET);
    if (secret === null) throw new Error('recovery codes without a second factor');
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
    await tx.execute('update users set two_factor_at = $2, version = version + 1 where id = $1', [userId, iso(at)]);
  }

  /** Secret and recovery codes are gone; the last step stays, so that turning it on again takes no old code. */
  async turnOff(tx: Tx, userId: number): Promise<void> {
    await turnOff(tx, { userId, secrets: this.secrets });
  }

  private totp(secret: Secret, label = ''): TOTP {
    return new TOTP({ issuer: this.settings.brand.name, label, secret, digits: OTP_DIGITS, period: OTP_PERIOD_S });
  }
}

async function turnOff(tx: Tx, { userId, secrets }: { userId: number; secrets: Secrets }): Promise<void> {
  await tx.execute('update users set two_factor_at = null, version = version + 1 where id = $1', [userId]);
  await secrets.remove(tx, userTwoFactor(userId));
  await tx.execute('delete from recovery_codes where user_id = $1', [userId]);
}

/**
 * Turns it off for an owner who has lost app and recovery codes, as an operator decides: audited, mailed to the owner, and
 * with the end of every session. Resolves with false where no account has this address and a second factor.
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
  const [user] = await tx.query<{ id: number }>(
    'select id from users where lower(email) = lower($1) and two_factor_at is not null for no key update',
    [email],
  );
  if (user === undefined) return false;
  await securityMails.post(tx, { userId: user.id, template: 'two_factor_off', facts: {}, at });
  await turnOff(tx, { userId: user.id, secrets });
  await endEarlierCredentials(tx, { userId: user.id, at });
  const subject = `user:${user.id}`;
  await auditLog.record(tx, { action: 'account.two_factor_reset', subject, facts: { by, reason }, at });
  return true;
}

/**
 * Keyed with the secret of the authenticator app, which is sealed: without the keys of the secrets a copy of the table proves
 * no guess. The secret lasts as long as the codes.
 */
function hashOf(code: string, secret: string): string {
  return createHmac('sha256', secret).update(`recovery code ${code}`).digest('base64url');
}

/** Of codes that were created before hashes had a key; they work until they are renewed. */
function earlierHashOf(code: string): string {
  return createHash('sha256').update(code).digest('base64url');
}
