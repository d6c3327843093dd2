import type { ServerTexts } from '../server-texts';
import { layout } from './layout';
import { mails } from './mails';
import { messages } from './messages';

export const de: ServerTexts = { messages, mails, layout };
