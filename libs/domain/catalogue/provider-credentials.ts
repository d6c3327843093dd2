import type { CloudName } from './providers';

/** Settings that form the credentials of each provider. The console uses the same names. */
export const PROVIDER_CREDENTIALS = {
  aws: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
  azure: ['AZURE_TENANT_ID', 'AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET', 'AZURE_SUBSCRIPTION_ID'],
  gcp: ['GCP_SERVICE_ACCOUNT_KEY'],
  digitalocean: ['DIGITALOCEAN_TOKEN'],
  hetzner: ['HETZNER_TOKEN'],
  linode: ['LINODE_TOKEN'],
  vultr: ['VULTR_API_KEY'],
} as const satisfies Readonly<Record<CloudName, readonly string[]>>;

/** Reasons for which entered credentials are rejected. */
export const CREDENTIAL_REFUSALS = ['refused', 'rights_missing', 'other_project', 'no_answer', 'not_usable'] as const;
export type CredentialRefusal = (typeof CREDENTIAL_REFUSALS)[number];

/** Returns whether these are exactly the credential fields of the provider. */
export function areCredentials(provider: CloudName, values: Readonly<Record<string, string>>): boolean {
  const names: readonly string[] = PROVIDER_CREDENTIALS[provider];
  const given = Object.keys(values);
  return given.length === names.length && names.every((name) => (values[name] ?? '').trim() !== '');
}
