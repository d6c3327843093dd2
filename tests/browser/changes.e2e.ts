import { productAndBrowser } from './browser';
import { changesInTheBrowser, movesInTheBrowser } from './changes';

// A separate product, because sign-ups from one address are limited.
const there = productAndBrowser({ DELETE_UNDO_HOURS: '1' });

changesInTheBrowser(there);
movesInTheBrowser(there);
