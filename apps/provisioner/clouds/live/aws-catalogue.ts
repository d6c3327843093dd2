import { billedApartHourly, type CostOffer, type InstanceCost } from '@moorage/domain';
import { z } from 'zod';
import { CloudError } from '../cloud';
import { type AwsApi, inTurns } from './aws-api';
import { jsonOf } from './cloud-http';
import { everyPage } from './every-page';

/** General-purpose x86 sizes with up to 16 vCPU, out of more than a thousand sizes. */
const TYPES = [
  ...['micro', 'small', 'medium', 'large', 'xlarge', '2xlarge'].flatMap((size) => [`t3.${size}`, `t3a.${size}`]),
  ...['large', 'xlarge', '2xlarge', '4xlarge'].flatMap((size) => [`m7i-flex.${size}`, `c7i-flex.${size}`]),
];

/** City and country of every known region. AWS reports no country. */
const PLACES: Readonly<Record<string, readonly [city: string, country: string]>> = {
  'us-east-1': ['N. Virginia', 'us'],
  'us-east-2': ['Ohio', 'us'],
  'us-west-1': ['N. California', 'us'],
  'us-west-2': ['Oregon', 'us'],
  'ca-central-1': ['Montreal', 'ca'],
  'ca-west-1': ['Calgary', 'ca'],
  'mx-central-1': ['Querétaro', 'mx'],
  'sa-east-1': ['São Paulo', 'br'],
  'eu-central-1': ['Frankfurt', 'de'],
  'eu-central-2': ['Zurich', 'ch'],
  'eu-north-1': ['Stockholm', 'se'],
  'eu-south-1': ['Milan', 'it'],
  'eu-south-2': ['Aragon', 'es'],
  'eu-west-1': ['Dublin', 'ie'],
  'eu-west-2': ['London', 'gb'],
  'eu-west-3': ['Paris', 'fr'],
  'af-south-1': ['Cape Town', 'za'],
  'il-central-1': ['Tel Aviv', 'il'],
  'me-central-1': ['Dubai', 'ae'],
  'me-south-1': ['Bahrain', 'bh'],
  'ap-east-1': ['Hong Kong', 'hk'],
  'ap-east-2': ['Taipei', 'tw'],
  'ap-northeast-1': ['Tokyo', 'jp'],
  'ap-northeast-2': ['Seoul', 'kr'],
  'ap-northeast-3': ['Osaka', 'jp'],
  'ap-south-1': ['Mumbai', 'in'],
  'ap-south-2': ['Hyderabad', 'in'],
  'ap-southeast-1': ['Singapore', 'sg'],
  'ap-southeast-2': ['Sydney', 'au'],
  'ap-southeast-3': ['Jakarta', 'id'],
  'ap-southeast-4': ['Melbourne', 'au'],
  'ap-southeast-5': ['Kuala Lumpur', 'my'],
  'ap-southeast-6': ['Auckland', 'nz'],
  'ap-southeast-7': ['Bangkok', 'th'],
};

/** Disk size as in the provider's `billedApart`. */
export const DISK_GB = 30;

/** Hourly on-demand Linux prices on shared hardware. */
const ON_DEMAND = {
  operatingSystem: 'Linux',
  preInstalledSw: 'NA',
  tenancy: 'Shared',
  capacitystatus: 'Used',
};

const product = z.object({
  product: z.object({
    attributes: z.object({ regionCode: z.string(), vcpu: z.coerce.number(), memory: z.string() }),
  }),
  terms: z.object({
    OnDemand: z.record(
      z.string(),
      z.object({
        priceDimensions: z.record(
          z.string(),
          z.object({ unit: z.string(), pricePerUnit: z.object({ USD: z.coerce.number().optional() }) }),
        ),
      }),
    ),
  }),
});

/** Prices by region. */
type Prices = ReadonlyMap<string, Omit<InstanceCost, 'available'>>;

/** Returns the sizes that the account may launch in its regions. AWS reports sold-out sizes only at launch. */
export async function awsCatalogue(
  api: AwsApi,
  regions: readonly string[],
  signal: AbortSignal | undefined,
): Promise<CostOffer> {
  const prices = await inTurns(TYPES, (type) => pricesOf(api, type, signal));
  if (prices.every(({ size }) => size === 0)) throw new CloudError('transient', 'the price list is empty');
  const known = regions.flatMap((name) => (name in PLACES ? [name] : []));
  return {
    provider: 'aws',
    regions: await inTurns(known, async (name) => {
      const [displayName = name, countryCode = ''] = PLACES[name] ?? [];
      const offered = await offeredIn(api, name, signal);
      const instanceTypes = prices.flatMap((each) => {
        const cost = each.get(name);
        return cost === undefined || !offered.has(cost.name) ? [] : [{ ...cost, available: true }];
      });
      return { name, displayName, countryCode, instanceTypes };
    }),
  };
}

/** Returns the prices of one size in all regions. */
async function pricesOf(api: AwsApi, type: string, signal: AbortSignal | undefined): Promise<Prices> {
  const products = await everyPage<string | undefined, string>('prices', undefined, async (NextToken) => {
    const page = await api.products(
      {
        ServiceCode: 'AmazonEC2',
        Filters: Object.entries({ ...ON_DEMAND, instanceType: type }).map(([Field, Value]) => ({
          Type: 'TERM_MATCH',
          Field,
          Value,
        })),
        MaxResults: 100,
        NextToken,
      },
      signal,
    );
    const items: string[] = [];
    for (const text of page.PriceList ?? []) items.push(String(text));
    return { items, next: page.NextToken || null };
  });
  const prices = new Map<string, Omit<InstanceCost, 'available'>>();
  for (const { attributes, usd } of products.map(productOf)) {
    if (usd === undefined) continue;
    prices.set(attributes.regionCode, {
      name: type,
      displayName: type,
      cpu: attributes.vcpu,
      memoryGb: Number.parseFloat(attributes.memory),
      diskGb: DISK_GB,
      hourlyUsd: usd + billedApartHourly('aws'),
    });
  }
  return prices;
}

function productOf(text: string) {
  const parsed = product.safeParse(jsonOf(text));
  if (!parsed.success) throw new CloudError('transient', 'the price list is not as expected');
  const { product: found, terms } = parsed.data;
  const hourly = Object.values(terms.OnDemand)
    .flatMap(({ priceDimensions }) => Object.values(priceDimensions))
    .find(({ unit, pricePerUnit: { USD = 0 } }) => unit === 'Hrs' && USD > 0);
  return { attributes: found.attributes, usd: hourly?.pricePerUnit.USD };
}

async function offeredIn(api: AwsApi, region: string, signal: AbortSignal | undefined): Promise<Set<string>> {
  const offered = await everyPage<string | undefined, string>('offerings', undefined, async (NextToken) => {
    const page = await api.ec2(
      region,
      signal,
      ({ DescribeInstanceTypeOfferingsCommand }) =>
        new DescribeInstanceTypeOfferingsCommand({
          LocationType: 'region',
          Filters: [{ Name: 'instance-type', Values: TYPES }],
          NextToken,
        }),
    );
    const items = page.InstanceTypeOfferings?.flatMap(({ InstanceType }) => InstanceType ?? []) ?? [];
    return { items, next: page.NextToken || null };
  });
  return new Set(offered);
}
