import { backupsInTheBrowser } from './backups';
import { productAndBrowser } from './browser';
import { providersInTheBrowser } from './providers';

// a product of its own: sign-ups from one address are limited
const there = productAndBrowser();

backupsInTheBrowser(there);
providersInTheBrowser(there);
