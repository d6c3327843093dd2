import { createCipheriv, createDecipheriv } from 'node:crypto';
import { type Clock, iso } from './clock';
import type { Tx } from './db';
import type { Random } from './random';

export interface SealKey {
  readonly id: string;
  /** Key of 32 bytes. */
  readonly key: Buffer;
}

export interface Sealed {
  readonly key_id: string;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
}

/**
 * Parses `id:base64,id:base64`. The first key seals, and all keys open.
 *
 * @throws Error when a key is malformed.
 */
export function parseSealKeys(text: string, setting = 'SECRETS_KEYS'): SealKey[] {
  return text.split(',').map((part) => {
    const [id = '', encoded = ''] = part.trim().split(':');
    const key = Buffer.from(encoded, 'base64');
    if (!/^[a-z0-9-]{1,20}$/.test(id) || key.length !== 32) {
      throw new RangeError(`${setting} must be id:key pairs separated by commas, each key 32 bytes in base64`);
    }
    return { id, key };
  });
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts texts under a ring of keys. */
export class SealBox {
  private readonly keys: readonly SealKey[];
  private readonly current: SealKey;
  private readonly random: Random;

  /** @throws RangeError when there is no key. */
  constructor({ keys, random }: { keys: readonly SealKey[]; random: Random }) {
    const [current] = keys;
    if (current === undefined) throw new RangeError('no key to encrypt with');
    this.keys = keys;
    this.current = current;
    this.random = random;
  }

  get currentKeyId(): string {
    return this.current.id;
  }

  /** Seals a text for a place with the newest key. */
  seal(text: string, place: string): Sealed {
    const nonce = this.random.bytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.current.key, nonce).setAAD(Buffer.from(place));
    const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return { key_id: this.current.id, nonce, ciphertext };
  }

  /**
   * Opens a sealed text.
   *
   * @throws when the key is missing, the text was changed, or it was sealed for another place.
   */
  open({ key_id, nonce, ciphertext }: Sealed, place: string): string {
    const found = this.keys.find((key) => key.id === key_id);
    if (found === undefined)
      throw new Error(`a secret is encrypted with the key "${key_id}", which is no longer among the keys`);
    const decipher = createDecipheriv('aes-256-gcm', found.key, nonce).setAAD(Buffer.from(place));
    decipher.setAuthTag(ciphertext.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(ciphertext.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
  }
}

interface SecretRow extends Sealed {
  readonly owner: string;
  readonly name: string;
}

export interface SecretsOptions {
  readonly box: SealBox;
  readonly clock: Clock;
  /**
   * Kinds of owners (the part before the colon) that this key ring serves. Other owners belong to another key ring.
   */
  readonly kinds: readonly string[];
}

/**
 * Stores secrets with AES-256-GCM under a key that the database does not contain. The place (owner, name) is
 * authenticated too, so a ciphertext that was moved to another row cannot be opened. Owners: `deployment:{id}`,
 * `user:{id}`.
 */
export class Secrets {
  constructor(private readonly options: SecretsOptions) {}

  /** Stores a secret, replacing an earlier value. */
  async put(tx: Tx, owner: string, name: string, value: string): Promise<void> {
    const { box, clock } = this.options;
    this.checkKind(owner);
    const sealed = box.seal(value, placeOf(owner, name));
    await tx.execute(
      `insert into secrets (owner, name, key_id, nonce, ciphertext, created_at) values ($1, $2, $3, $4, $5, $6)
       on conflict (owner, name) do update set key_id = excluded.key_id, nonce = excluded.nonce, ciphertext = excluded.ciphertext`,
      [owner, name, sealed.key_id, sealed.nonce, sealed.ciphertext, iso(await clock.now(tx))],
    );
  }

  /**
   * Returns a secret, or null if there is none.
   *
   * @throws when it cannot be opened.
   */
  async get(tx: Tx, owner: string, name: string): Promise<string | null> {
    this.checkKind(owner);
    const [row] = await tx.query<SecretRow>('select * from secrets where owner = $1 and name = $2', [owner, name]);
    return row === undefined ? null : this.options.box.open(row, placeOf(owner, name));
  }

  /** Returns only the names, for responses that contain `"set": true`. */
  async names(tx: Tx, owner: string): Promise<string[]> {
    const rows = await tx.query<{ name: string }>('select name from secrets where owner = $1 order by name', [owner]);
    return rows.map((row) => row.name);
  }

  /** Deletes all secrets of an owner. */
  async remove(tx: Tx, owner: string): Promise<void> {
    await tx.execute('delete from secrets where owner = $1', [owner]);
  }

  async removeOne(tx: Tx, owner: string, name: string): Promise<void> {
    await tx.execute('delete from secrets where owner = $1 and name = $2', [owner, name]);
  }

  /** Re-seals secrets that are not under the newest key, at most `batch` rows. Returns the number of remaining rows. */
  async rotate(tx: Tx, batch: number): Promise<number> {
    const { box, kinds } = this.options;
    const rows = await tx.query<SecretRow>(
      `select * from secrets where key_id <> $1 and split_part(owner, ':', 1) = any ($3)
       order by owner, name limit $2 for update skip locked`,
      [box.currentKeyId, batch, kinds],
    );
    for (const row of rows) await this.put(tx, row.owner, row.name, box.open(row, placeOf(row.owner, row.name)));
    const [left] = await tx.query<{ count: number }>(
      `select count(*)::int as count from secrets where key_id <> $1 and split_part(owner, ':', 1) = any ($2)`,
      [box.currentKeyId, kinds],
    );
    return left?.count ?? 0;
  }

  private checkKind(owner: string): void {
    const [kind = ''] = owner.split(':');
    if (!this.options.kinds.includes(kind)) throw new Error(`secrets of ${kind} are encrypted with another key ring`);
  }
}

/** Secrets that only the api opens, under a separate key ring. Owners: `two_factor:{id}`, `installation`. */
export class AccountSecrets extends Secrets {}

const placeOf = (owner: string, name: string): string => `secrets/${owner}/${name}`;
