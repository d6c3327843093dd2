import type { Prices } from '@moorage/contracts';
import { publicPrices } from '@moorage/domain';

/** Returns the prices of the public page in currency units. */
export function shownPrices(): Prices {
  const { minBalanceToDeploy, minBalanceFirstDeployment, byovpsDailyFee, supportLevel2Daily, supportLevel3Daily } =
    publicPrices();
  return {
    minBalanceToDeploy: minBalanceToDeploy.toWire(),
    minBalanceFirstDeployment: minBalanceFirstDeployment.toWire(),
    byovpsDailyFee: byovpsDailyFee.toWire(),
    supportLevel2Daily: supportLevel2Daily.toWire(),
    supportLevel3Daily: supportLevel3Daily.toWire(),
    referrals_enabled: true,
  };
}
