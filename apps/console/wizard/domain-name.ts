import { asciiDomain } from '@moorage/domain';

/** Returns a typed domain in the form of DNS, without surrounding blanks and a leading https://. */
export function tidyDomain(typed: string): string {
  return asciiDomain(
    typed
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/[./]+$/, ''),
  );
}

const SUFFIX_DIGITS = 6;

/** Where clouds are simulated: a name that answers by itself, its own for each order. */
export function sandboxDomain({ pack, at, zone }: { pack: string; at: number; zone: string }): string {
  return `${pack.toLowerCase().replace(/[^a-z0-9]/g, '')}-${String(at).slice(-SUFFIX_DIGITS)}.${zone}`;
}
