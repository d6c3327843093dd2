import { countryName } from '@moorage/domain';
import { currentLocale } from '../../texts/locale';

/** Returns the country name in the user's language. English names come from the domain's table. */
export function countryIn(code: string): string {
  if (currentLocale() === 'en') return countryName(code);
  const upper = code.toUpperCase();
  if (upper === 'UN') return 'Weltweit';
  return new Intl.DisplayNames(currentLocale(), { type: 'region' }).of(upper === 'UK' ? 'GB' : upper) ?? upper;
}
