/** Digits of a code that an authenticator app shows (RFC 6238 with the usual parameters: SHA-1, 30 s, six digits). */
export const OTP_DIGITS = 6;
export const OTP_PERIOD_S = 30;
/** How many recovery codes an account gets at a time. */
export const RECOVERY_CODES = 10;
export const RECOVERY_CODE_LENGTH = 16;

export interface TypedCode {
  readonly kind: 'otp' | 'recovery';
  readonly code: string;
}

/** What somebody typed: a code of the app (`123 456`) or a recovery code (`abcd-efgh-ijkm-npqr`); null: neither. */
export function readTypedCode(text: string): TypedCode | null {
  const code = text.toLowerCase().replace(/[\s-]/g, '');
  if (code.length === OTP_DIGITS && /^\d+$/.test(code)) return { kind: 'otp', code };
  return code.length === RECOVERY_CODE_LENGTH && /^[a-z0-9]+$/.test(code) ? { kind: 'recovery', code } : null;
}

/** As it is shown: `abcd-efgh-ijkm-npqr`. */
export function spelledRecoveryCode(code: string): string {
  return (code.match(/.{1,4}/g) ?? []).join('-');
}
