import { OTHER_LOOKS, productAndBrowser } from './browser';
import { failedDeployment } from './failed-deployment';
import { newcomerInTheBrowser } from './first-deployment';
import { byKeyboardAlone } from './keyboard';

const there = productAndBrowser();

newcomerInTheBrowser(there, { looks: OTHER_LOOKS });
byKeyboardAlone(there);
failedDeployment(there);
