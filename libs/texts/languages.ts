import type { Language } from '@moorage/domain';
import { de } from './de';
import { en } from './en';
import type { LanguageTexts } from './language-texts';

/** Every language, with the texts that the console loads on demand. */
export const LANGUAGE_TEXTS: Readonly<Record<Language, LanguageTexts>> = { en, de };
