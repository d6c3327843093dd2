import type { LanguageTexts } from '../language-texts';
import { dates } from './dates';
import * as publicPart from './public';

export const en: LanguageTexts = {
  name: 'English',
  dates,
  // The keys of every language are those of the English texts, which pages also show until another language has loaded.
  loadPublic: () => Promise.resolve(publicPart),
  loadConsole: () => import('./console'),
};
