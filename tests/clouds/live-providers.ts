import type { CloudName } from '@moorage/domain';
import {
  type CloudTraits,
  fakeAzure,
  type FakeCloud,
  fakeDigitalOcean,
  fakeEc2,
  fakeGcp,
  fakeHetzner,
  fakeLinode,
  fakeVultr,
  type FleetOptions,
  PLAIN_FAULTS,
  type SuiteFault,
} from '@moorage/provisioner/clouds';

/** A live provider in these tests, with its fake and the settings that lead to it. */
export interface LiveProvider {
  readonly region: string;
  readonly instance_type: string;
  readonly larger: string;
  readonly shrinks?: false;
  /** Hourly price of that size for a customer with a margin of 10 %, in USD. */
  readonly hourly: number;
  readonly repeated: CloudTraits['repeated'];
  readonly faults: readonly SuiteFault[];
  /** Published description of its HTTP API in `descriptions`, and the setting with the address of that API. */
  readonly described: { readonly description: string; readonly baseUrl: string } | null;
  readonly open: (options: FleetOptions & { readonly page: number }) => Promise<OpenProvider>;
}

export interface OpenProvider {
  readonly fake: FakeCloud;
  /** Credentials and addresses. */
  readonly settings: Readonly<Record<string, string>>;
  /** Secret in the settings, or a line of it, which must not appear in any log or row. */
  readonly secret: string;
}

const FAILING = [...PLAIN_FAULTS, 'fails_capacity', 'fails_quota', 'fails_refused', 'fails_other'] as const;

/** Live providers by name. */
export const LIVE_PROVIDERS: Readonly<Record<CloudName, LiveProvider>> = {
  aws: {
    region: 'eu-central-1',
    instance_type: 't3.medium',
    larger: 't3.2xlarge',
    hourly: 0.061916,
    repeated: 'same_server',
    faults: FAILING,
    // Its fake validates every request against AWS's own models.
    described: null,
    open: async (options) => {
      const secret = 'aws-canary-secret-0123456789';
      const accessKeyId = 'AKIACANARY';
      const fake = await fakeEc2({ ...options, accessKeyId });
      const { url } = fake.http;
      return {
        fake,
        secret,
        settings: {
          AWS_ACCESS_KEY_ID: accessKeyId,
          AWS_SECRET_ACCESS_KEY: secret,
          AWS_BASE_URL: url,
          AWS_PRICES_BASE_URL: url,
        },
      };
    },
  },
  azure: {
    region: 'westeurope',
    instance_type: 'Standard_B2s',
    larger: 'Standard_B2ms',
    hourly: 0.061916,
    repeated: 'same_server',
    faults: FAILING,
    described: { description: 'azure-arm.json', baseUrl: 'AZURE_BASE_URL' },
    open: async (options) => {
      const secret = 'azure-canary-secret-0123456789';
      const subscription = '5c9f8d2e-0000-4000-8000-3f1f5b7e9a01';
      const fake = await fakeAzure({ ...options, subscription, clientSecret: secret });
      const { url } = fake.http;
      return {
        fake,
        secret,
        settings: {
          AZURE_TENANT_ID: 'tenant',
          AZURE_CLIENT_ID: 'client',
          AZURE_CLIENT_SECRET: secret,
          AZURE_SUBSCRIPTION_ID: subscription,
          AZURE_BASE_URL: url,
          AZURE_TOKEN_URL: `${url}/token`,
          AZURE_PRICES_BASE_URL: url,
        },
      };
    },
  },
  gcp: {
    region: 'europe-north1',
    instance_type: 'e2-small',
    larger: 'e2-medium',
    hourly: 0.030305,
    repeated: 'same_server',
    faults: PLAIN_FAULTS,
    described: { description: 'gcp-compute.json', baseUrl: 'GCP_BASE_URL' },
    open: async (options) => {
      const fake = await fakeGcp({ ...options, project: 'moorage-test' });
      const { private_key } = JSON.parse(fake.key) as { private_key: string };
      return {
        fake,
        secret: private_key.split('\n')[1] ?? private_key,
        settings: {
          GCP_SERVICE_ACCOUNT_KEY: fake.key,
          GCP_BASE_URL: fake.http.url,
          GCP_TOKEN_URL: `${fake.http.url}/token`,
        },
      };
    },
  },
  digitalocean: {
    region: 'fra1',
    instance_type: 's-2vcpu-4gb',
    larger: 's-4vcpu-8gb',
    hourly: 0.039281,
    repeated: 'second_server',
    faults: PLAIN_FAULTS,
    described: { description: 'digitalocean.json', baseUrl: 'DIGITALOCEAN_BASE_URL' },
    open: async (options) => {
      const token = 'digitalocean-canary-token-0123456789';
      const fake = await fakeDigitalOcean({ ...options, token });
      return { fake, secret: token, settings: { DIGITALOCEAN_TOKEN: token, DIGITALOCEAN_BASE_URL: fake.http.url } };
    },
  },
  hetzner: {
    region: 'fsn1',
    instance_type: 'cpx22',
    larger: 'cpx32',
    hourly: 0.040168,
    repeated: 'name_taken',
    faults: PLAIN_FAULTS,
    described: { description: 'hetzner.json', baseUrl: 'HETZNER_BASE_URL' },
    open: async (options) => {
      const token = 'hetzner-canary-token-0123456789';
      const fake = await fakeHetzner({ ...options, token });
      return { fake, secret: token, settings: { HETZNER_TOKEN: token, HETZNER_BASE_URL: fake.http.url } };
    },
  },
  linode: {
    region: 'eu-central',
    instance_type: 'g6-standard-2',
    larger: 'g6-dedicated-2',
    hourly: 0.0396,
    repeated: 'name_taken',
    faults: PLAIN_FAULTS,
    described: { description: 'linode.json', baseUrl: 'LINODE_BASE_URL' },
    open: async (options) => {
      const token = 'linode-canary-token-0123456789';
      const fake = await fakeLinode({ ...options, token });
      return { fake, secret: token, settings: { LINODE_TOKEN: token, LINODE_BASE_URL: fake.http.url } };
    },
  },
  vultr: {
    region: 'fra',
    instance_type: 'vc2-2c-4gb',
    larger: 'vc2-4c-8gb',
    shrinks: false,
    hourly: 0.030137,
    repeated: 'second_server',
    faults: PLAIN_FAULTS,
    described: { description: 'vultr.json', baseUrl: 'VULTR_BASE_URL' },
    open: async (options) => {
      const apiKey = 'vultr-canary-key-0123456789';
      const fake = await fakeVultr({ ...options, apiKey });
      return { fake, secret: apiKey, settings: { VULTR_API_KEY: apiKey, VULTR_BASE_URL: fake.http.url } };
    },
  },
};
