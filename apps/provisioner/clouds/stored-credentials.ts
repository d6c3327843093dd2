import { CREDENTIALS_IN_USE, providerSecrets } from '@moorage/contracts';
import type { Secrets, Tx } from '@moorage/server';
import type { CloudName } from '@moorage/domain';
import type { Settings } from '@moorage/runtime';
import { z } from 'zod';

const values = z.record(z.string(), z.string());
export type CredentialValues = z.infer<typeof values>;

export const credentialsOfText = (text: string): CredentialValues => values.parse(JSON.parse(text));

/** The providers that use credentials entered in the console. */
export async function providersWithStored(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ provider: string }>(
    'select provider from provider_credentials where stored_at is not null',
  );
  return rows.map(({ provider }) => provider);
}

/** The credentials for calls to a provider. */
export interface CredentialsInUse {
  /** Another one means other credentials. */
  readonly version: number;
  /** Entered in the console; null: those of the settings. */
  readonly values: CredentialValues | null;
}

/**
 * The credentials in use: those that were entered in the console, or else those of the settings. `known`: the version that
 * the caller has opened already, for which nothing is unsealed.
 */
export async function credentialsInUse(
  tx: Tx,
  { provider, secrets, known }: { provider: CloudName; secrets: Secrets; known: number | null },
): Promise<CredentialsInUse | 'known'> {
  const [row] = await tx.query<{ version: number; is_stored: boolean }>(
    'select version, stored_at is not null as is_stored from provider_credentials where provider = $1',
    [provider],
  );
  const version = row?.version ?? 0;
  if (version === known) return 'known';
  const text = row?.is_stored === true ? await secrets.get(tx, providerSecrets(provider), CREDENTIALS_IN_USE) : null;
  return { version, values: text === null ? null : credentialsOfText(text) };
}

/** The settings with the credentials in use in place of their own. */
export const withCredentials = (settings: Settings, entered: CredentialValues | null): Settings =>
  entered === null ? settings : { ...settings, ...entered };
