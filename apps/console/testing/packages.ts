import type { PackageAnswer } from '@moorage/contracts';

/** Package as returned by the catalogue. The German description is marked as such. */
export function packageOf(
  name: string,
  display_name: string,
  { description = '', from_daily = null, ...more }: Partial<PackageAnswer> = {},
): PackageAnswer {
  return {
    name,
    display_name,
    description,
    description_texts: { en: description, de: `${description} auf Deutsch` },
    mark: [{ d: 'M4 4h16v16H4z', stroke: 3 }],
    min_cpu: 1,
    min_memory_gb: 2,
    from_daily,
    ...more,
  };
}
