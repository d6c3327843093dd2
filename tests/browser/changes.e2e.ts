import { productAndBrowser } from './browser';
import { changesInTheBrowser } from './changes';

// A separate product, because sign-ups from one address are limited.
const there = productAndBrowser();

changesInTheBrowser(there);
