import { backupsInTheBrowser } from './backups';
import { productAndBrowser } from './browser';
import { providersInTheBrowser } from './providers';

// A separate product, because sign-ups from one address are limited.
const there = productAndBrowser();

backupsInTheBrowser(there);
providersInTheBrowser(there);
