/** Number of digits of an authenticator code (RFC 6238 with the usual parameters: SHA-1, 30 s, six digits). */
export const OTP_DIGITS = 6;
export const OTP_PERIOD_S = 30;
/** Number of recovery codes generated for an account at a time. */
export const RECOVERY_CODES = 10;
export const RECOVERY_CODE_LENGTH = 16;

export interface TypedCode {
  readonly kind: 'otp' | 'recovery';
  readonly code: string;
}

/**
 * Parses an authenticator code (`123 456`) or a recovery code (`abcd-efgh-ijkm-npqr`).
 *
 * @returns the code without spaces and hyphens, in lower case, or null if the text is neither
 */
export function readTypedCode(text: string): TypedCode | null {
  const code = text.toLowerCase().replace(/[\s-]/g, '');
  if (code.length === OTP_DIGITS && /^\d+$/.test(code)) return { kind: 'otp', code };
  return code.length === RECOVERY_CODE_LENGTH && /^[a-z0-9]+$/.test(code) ? { kind: 'recovery', code } : null;
}

/** Formats a recovery code for display: `abcd-efgh-ijkm-npqr`. */
export function spelledRecoveryCode(code: string): string {
  return (code.match(/.{1,4}/g) ?? []).join('-');
}
