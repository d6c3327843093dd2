import type { SealBox } from '@moorage/server';

/** Purpose of a link. A token of one purpose is not valid for another. */
export type LinkPurpose = 'conversation' | 'unsubscribe';

const NONCE_BYTES = 12;
const TOKEN = /^([a-z0-9-]{1,20})\.([A-Za-z0-9_-]{20,200})$/;

/**
 * Reusable links in emails. The token contains its subject, sealed under a key that only the api has (ADR 0030).
 * Nothing is stored, so nothing can be read from the database. A link expires together with its key.
 */
export class SealedLinks {
  constructor(private readonly box: SealBox) {}

  token(purpose: LinkPurpose, about: string): string {
    const { key_id, nonce, ciphertext } = this.box.seal(about, placeOf(purpose));
    return `${key_id}.${Buffer.concat([nonce, ciphertext]).toString('base64url')}`;
  }

  /** Returns the content of a token, or null if it was not created here or its key was removed. */
  open(purpose: LinkPurpose, token: string): string | null {
    const [, key_id = '', sealed = ''] = TOKEN.exec(token) ?? [];
    const bytes = Buffer.from(sealed, 'base64url');
    try {
      return this.box.open(
        { key_id, nonce: bytes.subarray(0, NONCE_BYTES), ciphertext: bytes.subarray(NONCE_BYTES) },
        placeOf(purpose),
      );
    } catch {
      return null;
    }
  }
}

const placeOf = (purpose: LinkPurpose): string => `links/${purpose}`;
