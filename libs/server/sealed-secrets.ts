import { createCipheriv, createDecipheriv } from 'node:crypto';
import { type Clock, iso } from './clock';
import type { Tx } from './db';
import type { Random } from './random';

/**
 * Stores secrets with AES-256-GCM under a key that the database does not contain. The place (owner, name) is
 * authenticated too, so a ciphertext that was moved to another row cannot be opened. Owners: `deployment:{id}`,
 * `user:{id}`.
 */
export abstract class Secrets {
  /** Stores a secret, replacing an earlier value. */
  abstract readonly put: (tx: Tx, owner: string, name: string, value: string) => Promise<void>;
  /**
   * Returns a secret, or null if there is none.
   *
   * @throws when it cannot be opened.
   */
  abstract readonly get: (tx: Tx, owner: string, name: string) => Promise<string | null>;
  /** Returns only the names, for responses that contain `"set": true`. */
  abstract readonly names: (tx: Tx, owner: string) => Promise<string[]>;
  /** Deletes all secrets of an owner. */
  abstract readonly remove: (tx: Tx, owner: string) => Promise<void>;
  abstract readonly removeOne: (tx: Tx, owner: string, name: string) => Promise<void>;
  /** Re-seals secrets that are not under the newest key, at most `batch` rows. Returns the number of remaining rows. */
  abstract readonly rotate: (tx: Tx, batch: number) => Promise<number>;
}

/** Secrets that only the api opens, under a separate key ring. Owners: `two_factor:{id}`, `installation`. */
export abstract class AccountSecrets extends Secrets {}

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

/** Encrypts texts under a ring of keys. */
export abstract class SealBox {
  /** Seals a text for a place with the newest key. */
  abstract readonly seal: (text: string, place: string) => Sealed;
  /**
   * Opens a sealed text.
   *
   * @throws when the key is missing, the text was changed, or it was sealed for another place.
   */
  abstract readonly open: (sealed: Sealed, place: string) => string;
  abstract readonly currentKeyId: string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Creates a seal box.
 *
 * @throws RangeError when there is no key.
 */
export function createSealBox({ keys, random }: { keys: readonly SealKey[]; random: Random }): SealBox {
  const [current] = keys;
  if (current === undefined) throw new RangeError('no key to encrypt with');
  return {
    currentKeyId: current.id,
    seal(text, place) {
      const nonce = random.bytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce).setAAD(Buffer.from(place));
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return { key_id: current.id, nonce, ciphertext };
    },
    open({ key_id, nonce, ciphertext }, place) {
      const found = keys.find((key) => key.id === key_id);
      if (found === undefined)
        throw new Error(`a secret is encrypted with the key "${key_id}", which is no longer among the keys`);
      const decipher = createDecipheriv('aes-256-gcm', found.key, nonce).setAAD(Buffer.from(place));
      decipher.setAuthTag(ciphertext.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(ciphertext.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
    },
  };
}

interface SecretRow extends Sealed {
  readonly owner: string;
  readonly name: string;
}

/**
 * Creates the store of secrets.
 *
 * @param options `kinds` lists the kinds of owners (the part before the colon) that this key ring serves. Other owners
 * belong to another key ring.
 */
export function createSecrets({
  box,
  clock,
  kinds,
}: {
  box: SealBox;
  clock: Clock;
  kinds: readonly string[];
}): Secrets {
  function check(owner: string): void {
    const [kind = ''] = owner.split(':');
    if (!kinds.includes(kind)) throw new Error(`secrets of ${kind} are encrypted with another key ring`);
  }
  const place = (owner: string, name: string): string => `secrets/${owner}/${name}`;

  async function put(tx: Tx, owner: string, name: string, value: string): Promise<void> {
    check(owner);
    const sealed = box.seal(value, place(owner, name));
    await tx.execute(
      `insert into secrets (owner, name, key_id, nonce, ciphertext, created_at) values ($1, $2, $3, $4, $5, $6)
       on conflict (owner, name) do update set key_id = excluded.key_id, nonce = excluded.nonce, ciphertext = excluded.ciphertext`,
      [owner, name, sealed.key_id, sealed.nonce, sealed.ciphertext, iso(await clock.now(tx))],
    );
  }

  return {
    put,
    async get(tx, owner, name) {
      check(owner);
      const [row] = await tx.query<SecretRow>('select * from secrets where owner = $1 and name = $2', [owner, name]);
      return row === undefined ? null : box.open(row, place(owner, name));
    },
    async names(tx, owner) {
      const rows = await tx.query<{ name: string }>('select name from secrets where owner = $1 order by name', [owner]);
      return rows.map((row) => row.name);
    },
    async remove(tx, owner) {
      await tx.execute('delete from secrets where owner = $1', [owner]);
    },
    async removeOne(tx, owner, name) {
      await tx.execute('delete from secrets where owner = $1 and name = $2', [owner, name]);
    },
    async rotate(tx, batch) {
      const rows = await tx.query<SecretRow>(
        `select * from secrets where key_id <> $1 and split_part(owner, ':', 1) = any ($3)
         order by owner, name limit $2 for update skip locked`,
        [box.currentKeyId, batch, kinds],
      );
      for (const row of rows) await put(tx, row.owner, row.name, box.open(row, place(row.owner, row.name)));
      const [left] = await tx.query<{ count: number }>(
        `select count(*)::int as count from secrets where key_id <> $1 and split_part(owner, ':', 1) = any ($2)`,
        [box.currentKeyId, kinds],
      );
      return left?.count ?? 0;
    },
  };
}
