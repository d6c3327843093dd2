import type { ServerTexts } from '../server-texts';
import { layout } from './layout';
import { mails } from './mails';

export const en: ServerTexts = {
  // The domain defines its messages in English.
  messages: null,
  mails,
  layout,
};
