import { MAIN_APPEARANCE, productAndBrowser } from './browser';
import { budgets } from './budget';
import { newcomerInTheBrowser } from './first-deployment';

// What `npm test` does in a browser: one journey, and the budgets. The other journeys are in the nightly parts `browser-1` and `browser-2`.
const there = productAndBrowser();
newcomerInTheBrowser(there, { looks: [MAIN_APPEARANCE], layoutShifts: false });
budgets(there);
