import type { ServerTexts } from '../server-texts';
import { dates } from './dates';
import { documents } from './documents';
import { layout } from './layout';
import { mails } from './mails';
import { simulatedServer, testCheckout } from './pages';

export const en: ServerTexts = {
  // The domain defines its messages in English.
  messages: null,
  dates,
  mails,
  layout,
  documents,
  simulated_server: simulatedServer,
  test_checkout: testCheckout,
};
