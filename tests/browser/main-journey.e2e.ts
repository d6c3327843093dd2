import { MAIN_APPEARANCE, productAndBrowser } from './browser';
import { newcomerInTheBrowser } from './first-deployment';

// The journey of `npm test`. The others are in the nightly part `browser`.
newcomerInTheBrowser(productAndBrowser(), { looks: [MAIN_APPEARANCE], layoutShifts: false });
