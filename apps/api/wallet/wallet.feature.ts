import type { ApiDeps, Feature } from '../feature';
import type { Idempotency } from '../http/idempotency';
import { WalletController } from './wallet.controller';
import { WalletService } from './wallet.service';

export function createWalletFeature(
  { db, clock, random, ledger }: ApiDeps,
  { idempotency }: { idempotency: Idempotency },
): Feature {
  const wallet = new WalletService(db, clock, random, ledger, idempotency);
  return { controllers: [WalletController], providers: [{ provide: WalletService, useValue: wallet }] };
}
