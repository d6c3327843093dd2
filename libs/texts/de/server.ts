import type { ServerTexts } from '../server-texts';
import { dates } from './dates';
import { documents } from './documents';
import { layout } from './layout';
import { mails } from './mails';
import { messages } from './messages';
import { simulatedServer, testCheckout } from './pages';

export const de: ServerTexts = {
  messages,
  dates,
  mails,
  layout,
  documents,
  simulated_server: simulatedServer,
  test_checkout: testCheckout,
};
