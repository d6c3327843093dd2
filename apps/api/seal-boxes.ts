import { ACCOUNT_SECRETS } from '@moorage/contracts';
import { accountSealKeys, sealKeys, type Settings } from '@moorage/runtime';
import { AccountSecrets, type Clock, SealBox, type Db, type Random } from '@moorage/server';

/** A seal box for each purpose of a key (docs/adr/0039-least-rights-per-service.md). */
export interface SealBoxes {
  /** Seals secrets that the provisioner also opens. */
  readonly shared: SealBox;
  /** Seals secrets that only the api opens. Also opens those that were sealed before the api had keys of its own. */
  readonly account: SealBox;
  /** Seals links in emails. */
  readonly links: SealBox;
}

export async function openSealBoxes(settings: Settings, random: Random): Promise<SealBoxes> {
  const shared = await sealKeys(settings, random);
  const own = await accountSealKeys(settings, random);
  const both = [...own, ...shared];
  // Keys in the data folder belong to a single process that does everything. Where keys are set, the provisioner could
  // create links with the shared ones.
  const links = settings.ACCOUNT_SECRETS_KEYS === undefined ? both : own;
  return {
    shared: new SealBox({ keys: shared, random }),
    account: new SealBox({ keys: both, random }),
    links: new SealBox({ keys: links, random }),
  };
}

const BATCH = 200;

/**
 * Re-seals secrets of accounts that are not under the newest key of their own ring. Idempotent, and safe to run
 * concurrently.
 */
export async function resealAccounts(db: Db, { box, clock }: { box: SealBox; clock: Clock }): Promise<void> {
  const secrets = new AccountSecrets({ box, clock, kinds: ACCOUNT_SECRETS });
  for (let left = 1; left > 0;) left = await db.tx('secrets.rotate', (tx) => secrets.rotate(tx, BATCH));
}
