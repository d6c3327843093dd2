import { ACCOUNT_SECRETS } from '@moorage/contracts';
import { accountSealKeys, sealKeys, type Settings } from '@moorage/runtime';
import { type Clock, createSealBox, createSecrets, type Db, type Random, type SealBox } from '@moorage/server';

/** One box for each purpose of a key (docs/adr/0039-least-rights-per-service.md). */
export interface SealBoxes {
  /** Seals what the provisioner opens as well. */
  readonly shared: SealBox;
  /** Seals what the api alone opens. Also opens what was sealed before the api had keys of its own. */
  readonly account: SealBox;
  /** Seals links in mails. */
  readonly links: SealBox;
}

export async function openSealBoxes(settings: Settings, random: Random): Promise<SealBoxes> {
  const shared = await sealKeys(settings, random);
  const own = await accountSealKeys(settings, random);
  const both = [...own, ...shared];
  // keys in the data folder are for one process, which does everything; where they are set, the provisioner could mint links
  const links = settings.ACCOUNT_SECRETS_KEYS === undefined ? both : own;
  return {
    shared: createSealBox({ keys: shared, random }),
    account: createSealBox({ keys: both, random }),
    links: createSealBox({ keys: links, random }),
  };
}

const BATCH = 200;

/** Re-seals secrets of accounts that are not under the newest key of their own ring. Safe to repeat, and at once. */
export async function resealAccounts(db: Db, { box, clock }: { box: SealBox; clock: Clock }): Promise<void> {
  const secrets = createSecrets({ box, clock, kinds: ACCOUNT_SECRETS });
  for (let left = 1; left > 0;) left = await db.tx('secrets.rotate', (tx) => secrets.rotate(tx, BATCH));
}
