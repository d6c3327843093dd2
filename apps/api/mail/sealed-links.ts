import type { SealBox } from '@moorage/server';

/** What a link is for: a token of one purpose opens nothing of another. */
export type LinkPurpose = 'conversation' | 'unsubscribe';

const NONCE_BYTES = 12;
const TOKEN = /^([a-z0-9-]{1,20})\.([A-Za-z0-9_-]{20,200})$/;

/**
 * Links in mails that work more than once: the token is what it is about, sealed under a key of the api alone (ADR 0030).
 * Nothing of it is stored, so nothing of it can be read from the database. It ends with the key it was sealed under.
 */
export class SealedLinks {
  constructor(private readonly box: SealBox) {}

  token(purpose: LinkPurpose, about: string): string {
    const { key_id, nonce, ciphertext } = this.box.seal(about, placeOf(purpose));
    return `${key_id}.${Buffer.concat([nonce, ciphertext]).toString('base64url')}`;
  }

  /** What the token is about; null: it was not made here, or its key is gone. */
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
