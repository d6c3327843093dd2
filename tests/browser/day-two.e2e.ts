import { backupsInTheBrowser } from './backups';
import { productAndBrowser } from './browser';
import { deploymentPageInTheBrowser } from './deployment-page';
import { providersInTheBrowser } from './providers';

// A separate product, because sign-ups from one address are limited.
const there = productAndBrowser();

deploymentPageInTheBrowser(there);
backupsInTheBrowser(there);
providersInTheBrowser(there);
