import { productAndBrowser } from './browser';
import { logsInTheBrowser } from './logs';

// A separate product, because sign-ups from one address are limited.
logsInTheBrowser(productAndBrowser());
