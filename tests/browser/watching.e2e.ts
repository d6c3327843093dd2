import { productAndBrowser } from './browser';
import { watchingInTheBrowser } from './watching';

// A separate product, because the checks of a deployment run once a minute.
watchingInTheBrowser(productAndBrowser());
