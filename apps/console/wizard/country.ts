import { countryName } from '@moorage/domain';
import { currentLocale } from '../texts/locale';

/** The country in the person's language; English as the domain's table has it. */
export function countryIn(code: string): string {
  if (currentLocale() === 'en') return countryName(code);
  const upper = code.toUpperCase();
  if (upper === 'UN') return 'Weltweit';
  return new Intl.DisplayNames(currentLocale(), { type: 'region' }).of(upper === 'UK' ? 'GB' : upper) ?? upper;
}
