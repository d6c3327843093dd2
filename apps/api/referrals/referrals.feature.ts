import type { ApiDeps, Feature } from '../feature';
import { ReferralsController } from './referrals.controller';
import { ReferralsService } from './referrals.service';

export function createReferralsFeature({ db, clock, ledger, settings }: ApiDeps): Feature {
  const referrals = new ReferralsService(db, clock, ledger, settings);
  return { controllers: [ReferralsController], providers: [{ provide: ReferralsService, useValue: referrals }] };
}
