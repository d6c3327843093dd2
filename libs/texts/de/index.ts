import type { LanguageTexts } from '../language-texts';
import { dates } from './dates';

export const de: LanguageTexts = {
  name: 'Deutsch',
  dates,
  loadPublic: () => import('./public'),
  loadConsole: () => import('./console'),
};
