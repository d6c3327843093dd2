import { AU, CA, DE, FI, GB, IE, IN, NL, SG, US } from 'country-flag-icons/react/3x2';
import { Globe } from 'lucide-react';

const FLAGS: Readonly<Record<string, typeof DE>> = { AU, CA, DE, FI, GB, UK: GB, IE, IN, NL, SG, US };

/** Always beside the country's name: it says nothing by itself. */
export function Flag({ countryCode }: { countryCode: string }) {
  const Picture = FLAGS[countryCode.toUpperCase()];
  if (Picture === undefined) return <Globe size={16} className="flag none" aria-hidden="true" />;
  return <Picture className="flag" aria-hidden="true" />;
}
