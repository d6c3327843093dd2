import { z } from 'zod';
import type { Call } from './call';
import { envName, mark, packageFacts, texts } from './package-manifest';
import { message } from './message';

const name = z
  .string()
  .min(1)
  .max(60)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/);

export const packageAnswer = z
  .object({
    name: z.string(),
    display_name: z.string(),
    /** English text. `description_texts` has all languages. */
    description: z.string(),
    description_texts: texts,
    mark,
    /** Minimum resources of the server. */
    min_cpu: z.number(),
    min_memory_gb: z.number(),
    /** Daily price in currency units of the cheapest available size that fits, or null if none does. */
    from_daily: z.number().nullable(),
  })
  .meta({ id: 'Package' });
export type PackageAnswer = z.infer<typeof packageAnswer>;

const envEntry = z.union([
  envName,
  z.object({
    name: envName,
    /** English text. */
    hint: z.string(),
    hint_texts: texts,
  }),
]);

/**
 * Values that the wizard requests. The domain rules read the same object. Every text is in English, with a field next
 * to it for all languages.
 */
export const packageConfig = packageFacts
  .pick({
    name: true,
    display_name: true,
    mark: true,
    base: true,
    admin_name: true,
    default_admin_subdomain: true,
    requires: true,
    recommended: true,
    defaults: true,
    changeable: true,
    postgres_host: true,
  })
  .extend({
    /** Names below its domain, which must be distinct. */
    dns: z.array(packageFacts.shape.dns.unwrap().element.pick({ host: true, required: true, when: true })),
    package_description: z.string(),
    package_description_texts: texts,
    details: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        description_texts: texts,
        required_env: z.array(envEntry),
        optional_env: z.array(envEntry),
      }),
    ),
  })
  .meta({ id: 'PackageConfig' });
export type PackageConfigAnswer = z.infer<typeof packageConfig>;

/**
 * Daily price in currency units of the cheapest available size that fits the requested package, or null if none does.
 * Omitted without a package.
 */
const fromDaily = z.number().nullable().optional();

export const cloudProvider = z
  .object({
    name: z.string(),
    display_name: z.string(),
    /** New servers are simulated. */
    simulated: z.boolean(),
    /**
     * `live` means sizes and prices returned by the provider in the last two days, otherwise the built-in catalogue
     * applies.
     */
    prices: z.enum(['live', 'built_in']),
    /** Time at which a live provider last returned its prices. Null if it never did or is simulated. */
    priced_at: z.iso.datetime().nullable(),
    from_daily: fromDaily,
  })
  .meta({ id: 'CloudProvider' });
export type CloudProviderAnswer = z.infer<typeof cloudProvider>;
export const region = z
  .object({ name: z.string(), display_name: z.string(), country_code: z.string(), from_daily: fromDaily })
  .meta({ id: 'Region' });
export type RegionAnswer = z.infer<typeof region>;
export const instanceType = z
  .object({
    name: z.string(),
    display_name: z.string(),
    cpu: z.number(),
    /** GB */
    memory: z.number(),
    /** Currency units per hour. */
    hourly_cost: z.number(),
    /** False if the size is currently sold out in this region. */
    available: z.boolean(),
    /**
     * Name of the nearest alternative to a size that is sold out (that fits the requested package, if any), or null if
     * there is none.
     */
    nearest: z.string().nullable(),
    /**
     * Result of checking the size for the requested package, with the reason if it does not fit. Omitted without a
     * package.
     */
    fits: z.boolean().optional(),
    unfit_reason: message.nullable().optional(),
  })
  .meta({ id: 'InstanceType' });
export type InstanceTypeAnswer = z.infer<typeof instanceType>;

/** Place for a new server that can be ordered as it is. */
export const suggestedPlace = z
  .object({
    cloud_provider: z.string(),
    region: z.string(),
    instance_type: z.string(),
    /** The place is in the part of the world of the requested time zone. */
    near: z.boolean(),
  })
  .meta({ id: 'SuggestedPlace' });
export type SuggestedPlaceAnswer = z.infer<typeof suggestedPlace>;

/** Package for which sizes and prices are evaluated. */
const forPackage = z.object({ package: name.optional() });

export const CATALOGUE_CALLS = {
  packages: {
    operation: 'listPackages',
    method: 'GET',
    path: '/deployments/packages',
    summary: 'List packages',
    description: 'The packages that can be deployed.',
    access: 'public',
    status: 200,
    answer: z.array(packageAnswer),
    errors: [],
  },
  packageConfig: {
    operation: 'getPackageConfig',
    method: 'GET',
    path: '/deployments/packages/{name}/config',
    summary: 'Get the configuration form of a package',
    description: 'Returns sections with their fields.',
    access: 'public',
    params: z.object({ name }),
    status: 200,
    answer: packageConfig,
    errors: ['NOT_FOUND'],
  },
  cloudProviders: {
    operation: 'listCloudProviders',
    method: 'GET',
    path: '/deployments/cloud-providers',
    summary: 'List cloud providers',
    description:
      'The `X-Cloud-Mode` header is `sandbox` if all providers are simulated, `mixed` if some are, and `live` if none is.',
    access: 'public',
    query: forPackage,
    status: 200,
    answer: z.array(cloudProvider),
    errors: ['NOT_FOUND'],
  },
  regions: {
    operation: 'listRegions',
    method: 'GET',
    path: '/deployments/regions/{provider}',
    summary: 'List the regions of a provider',
    access: 'public',
    params: z.object({ provider: name }),
    query: forPackage,
    status: 200,
    answer: z.array(region),
    errors: ['NOT_FOUND'],
  },
  instanceTypes: {
    operation: 'listInstanceTypes',
    method: 'GET',
    path: '/deployments/instance-types/{provider}/{region}',
    summary: 'List the server sizes of a region',
    description: 'Includes prices.',
    access: 'public',
    params: z.object({ provider: name, region: name }),
    query: forPackage,
    status: 200,
    answer: z.array(instanceType),
    errors: ['NOT_FOUND'],
  },
  suggestedPlace: {
    operation: 'suggestPlace',
    method: 'GET',
    path: '/deployments/suggested-place',
    summary: 'Suggest a place for a new server',
    description:
      "Returns the cheapest place near a time zone where the package's recommended size is available, or null if there is none. Sizes that are often sold out are not suggested.",
    access: 'public',
    query: z.object({
      package: name,
      /** IANA name, such as `Europe/Berlin`. Without it, no place counts as near. */
      time_zone: z
        .string()
        .max(60)
        .regex(/^[A-Za-z0-9_+/-]*$/)
        .optional(),
    }),
    status: 200,
    answer: z.object({ place: suggestedPlace.nullable() }),
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Call>;
