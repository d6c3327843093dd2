import { MAIN_LOOK, productAndBrowser } from './browser';
import { newcomerInTheBrowser } from './first-deployment';

// The journey of `npm test`. The others are in the nightly part `browser`.
newcomerInTheBrowser(productAndBrowser(), { looks: [MAIN_LOOK], layoutShifts: false });
