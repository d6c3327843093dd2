import type { Mark } from '@moorage/contracts';

/** Logo for packages that are not or no longer in the catalogue. */
const NEUTRAL: Mark = [{ d: 'M12 6a6 6 0 1 1 0 12 6 6 0 0 1 0-12z', stroke: 3 }];
const NONE_YET: Mark = [];

/** Returns a package's logo by its key. Empty until the catalogue has loaded. */
export function markIn(
  packages: readonly { readonly name: string; readonly mark: Mark }[] | undefined,
  name: string | null,
): Mark {
  return packages === undefined ? NONE_YET : (packages.find((one) => one.name === name)?.mark ?? NEUTRAL);
}
