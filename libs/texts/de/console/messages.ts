import { consoleMessages } from '../messages/console';
import { publicMessages } from '../messages/public';
import { layoutTexts } from './layout';
import { wizardTexts } from './wizard';

/** Messages that screens show, with the names of fields and statuses in them. */
export const messages = {
  ...publicMessages,
  ...consoleMessages,
  env: wizardTexts.env,
  status: layoutTexts.status,
};
