import { MAIN_LOOK, productAndBrowser } from './browser';
import { newcomerInTheBrowser } from './first-deployment';

// the one of `npm test`; the others are of the nightly part `browser`
newcomerInTheBrowser(productAndBrowser(), { looks: [MAIN_LOOK], layoutShifts: false });
