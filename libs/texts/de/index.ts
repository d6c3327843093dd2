import type { LanguageTexts } from '../language-texts';

export const de: LanguageTexts = {
  name: 'Deutsch',
  loadPublic: () => import('./public'),
  loadConsole: () => import('./console'),
};
