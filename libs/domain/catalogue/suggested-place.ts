import type { Catalogue } from './catalogue';
import { fits, type PackageNeeds, recommendedSize } from './fits';
import { type InstanceType, isOftenSoldOut, type Region } from './offer';

/** Part of the world within which a server is close enough to its visitors. */
type Area =
  'europe' | 'north_america' | 'south_america' | 'africa' | 'west_asia' | 'south_asia' | 'east_asia' | 'oceania';

/** Areas in the order in which servers are looked for, nearest first. */
const NEAREST: Readonly<Record<Area, readonly Area[]>> = {
  europe: ['europe', 'north_america'],
  north_america: ['north_america', 'europe'],
  south_america: ['south_america', 'north_america', 'europe'],
  africa: ['africa', 'europe', 'west_asia'],
  west_asia: ['west_asia', 'europe', 'south_asia'],
  south_asia: ['south_asia', 'east_asia', 'europe'],
  east_asia: ['east_asia', 'oceania', 'north_america'],
  oceania: ['oceania', 'east_asia', 'north_america'],
};

/** Countries with data centers of the providers, two lower-case letters. */
const COUNTRIES: Readonly<Record<Area, string>> = {
  europe: 'de nl fi gb uk ie fr es it pl se at be ch cz dk no pt ro',
  north_america: 'us ca mx',
  south_america: 'br cl co ar pe',
  africa: 'za ng ke',
  west_asia: 'il ae bh sa qa tr',
  south_asia: 'in',
  east_asia: 'sg jp kr hk tw id my th cn ph vn',
  oceania: 'au nz',
};

/** Time zones by the beginning of their IANA names. The first that matches counts. */
const ZONES: readonly (readonly [start: string, area: Area])[] = [
  ['Europe/', 'europe'],
  ['Atlantic/Bermuda', 'north_america'],
  ['Atlantic/Stanley', 'south_america'],
  ['Atlantic/South_Georgia', 'south_america'],
  ['Atlantic/Cape_Verde', 'africa'],
  ['Atlantic/St_Helena', 'africa'],
  ['Atlantic/', 'europe'],
  ['Arctic/', 'europe'],
  ['Africa/', 'africa'],
  ...[
    'America/Argentina/',
    'America/Araguaina',
    'America/Asuncion',
    'America/Bahia',
    'America/Belem',
    'America/Boa_Vista',
    'America/Bogota',
    'America/Buenos_Aires',
    'America/Campo_Grande',
    'America/Caracas',
    'America/Cayenne',
    'America/Cuiaba',
    'America/Fortaleza',
    'America/Guayaquil',
    'America/Guyana',
    'America/La_Paz',
    'America/Lima',
    'America/Maceio',
    'America/Manaus',
    'America/Montevideo',
    'America/Paramaribo',
    'America/Porto_Velho',
    'America/Punta_Arenas',
    'America/Recife',
    'America/Rio_Branco',
    'America/Santiago',
    'America/Sao_Paulo',
  ].map((zone) => [zone, 'south_america'] as const),
  ['America/', 'north_america'],
  ['Pacific/Honolulu', 'north_america'],
  ['Pacific/', 'oceania'],
  ['Australia/', 'oceania'],
  ['Antarctica/', 'oceania'],
  ...['Calcutta', 'Colombo', 'Dhaka', 'Kabul', 'Karachi', 'Kathmandu', 'Katmandu', 'Kolkata', 'Thimphu'].map(
    (city) => [`Asia/${city}`, 'south_asia'] as const,
  ),
  ['Indian/', 'south_asia'],
  ...[
    'Amman',
    'Baghdad',
    'Bahrain',
    'Baku',
    'Beirut',
    'Damascus',
    'Dubai',
    'Gaza',
    'Hebron',
    'Jerusalem',
    'Kuwait',
    'Muscat',
    'Nicosia',
    'Qatar',
    'Riyadh',
    'Tbilisi',
    'Tehran',
    'Tel_Aviv',
    'Yerevan',
  ].map((city) => [`Asia/${city}`, 'west_asia'] as const),
  ['Asia/', 'east_asia'],
];

/** Returns the area of an IANA time zone, or null for one that names none, such as `UTC`. */
const areaOf = (timeZone: string): Area | null => ZONES.find(([start]) => timeZone.startsWith(start))?.[1] ?? null;

/** A place that can be ordered as it is. */
export interface SuggestedPlace {
  readonly provider: string;
  readonly region: Region;
  readonly type: InstanceType;
  /** The place is in the part of the world of the given time zone. */
  readonly near: boolean;
}

interface Needs {
  readonly requires: PackageNeeds;
  readonly recommended?: PackageNeeds | undefined;
}

/**
 * Returns the place to suggest for a package: the cheapest available size that meets its recommendation (or otherwise
 * its minimum) in the area of a time zone, or in the nearest area that has one. Sizes that are often sold out are never
 * suggested. `null` if there is none.
 */
export function suggestedPlace(catalogue: Catalogue, needs: Needs, timeZone: string): SuggestedPlace | null {
  const places = catalogue.providers().flatMap(({ name: provider }) =>
    (catalogue.regions(provider) ?? []).flatMap((region) => {
      const type = sizeIn(catalogue.instanceTypes(provider, region.name) ?? [], needs);
      return type === null ? [] : [{ provider, region, type }];
    }),
  );
  const home = areaOf(timeZone);
  const isIn = (area: Area, { region }: { region: Region }): boolean =>
    COUNTRIES[area].split(' ').includes(region.countryCode.toLowerCase());
  for (const area of home === null ? [] : NEAREST[home]) {
    const best = cheapest(
      places.filter((place) => isIn(area, place)),
      needs,
    );
    if (best !== null) return { ...best, near: area === home };
  }
  const anywhere = cheapest(places, needs);
  return anywhere === null ? null : { ...anywhere, near: false };
}

function sizeIn(types: readonly InstanceType[], needs: Needs): InstanceType | null {
  const sizes = types
    .filter((type) => type.available && !isOftenSoldOut(type))
    .map((type) => ({ ...type, type, hourly: type.hourlyCost.toWire() }));
  return recommendedSize(sizes, needs)?.type ?? null;
}

/** Returns the cheapest place, of those that meet the recommendation if any does. */
function cheapest<P extends { readonly type: InstanceType }>(
  places: readonly P[],
  { requires, recommended = requires }: Needs,
): P | null {
  const roomy = places.filter(({ type }) => fits(type, recommended));
  const [first] = (roomy.length > 0 ? roomy : places).toSorted(
    (a, b) => a.type.hourlyCost.toWire() - b.type.hourlyCost.toWire(),
  );
  return first ?? null;
}
