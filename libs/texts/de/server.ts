import type { ServerTexts } from '../server-texts';
import { messages } from './messages';

export const de: ServerTexts = { messages };
