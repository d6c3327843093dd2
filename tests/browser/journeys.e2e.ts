import { administratorsDay } from './administrators-day';
import { OTHER_APPEARANCES, productAndBrowser } from './browser';
import { failedDeployment } from './failed-deployment';
import { newcomerInTheBrowser } from './first-deployment';
import { byKeyboardAlone } from './keyboard';
import { ownAccount } from './own-account';
import { largerPackage } from './larger-package';

const there = productAndBrowser();

newcomerInTheBrowser(there, { looks: OTHER_APPEARANCES });
byKeyboardAlone(there);
largerPackage(there);
administratorsDay(there);
// This journey leaves Hetzner without servers.
failedDeployment(there);
ownAccount(there);
