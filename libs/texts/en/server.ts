import type { ServerTexts } from '../server-texts';

export const en: ServerTexts = {
  // The domain defines its messages in English.
  messages: null,
};
