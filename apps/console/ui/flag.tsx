import { type FlagCountry, flagCountry } from '@moorage/domain';
import { AU, CA, DE, FI, GB, IE, IN, NL, SG, US } from 'country-flag-icons/react/3x2';
import { Globe } from 'lucide-react';
import './flag.css';

/** Flags of all countries in the domain's table. The compiler detects missing entries. */
const PICTURES: Readonly<Record<FlagCountry, typeof DE>> = {
  au: AU,
  ca: CA,
  de: DE,
  fi: FI,
  gb: GB,
  ie: IE,
  in: IN,
  nl: NL,
  sg: SG,
  us: US,
};

/** Flag of a country. Always shown next to the country's name because it has no text alternative. */
export function Flag({ countryCode }: { countryCode: string }) {
  const country = flagCountry(countryCode);
  if (country === null) return <Globe size={16} className="flag none" aria-hidden="true" />;
  const Picture = PICTURES[country];
  return <Picture className="flag" aria-hidden="true" />;
}
