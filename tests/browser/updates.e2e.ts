import { productAndBrowser } from './browser';
import { updatesInTheBrowser } from './updates';

updatesInTheBrowser(productAndBrowser());
