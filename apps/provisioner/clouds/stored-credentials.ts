import { CREDENTIALS_IN_USE, providerSecrets } from '@moorage/contracts';
import type { Secrets, Tx } from '@moorage/server';
import type { CloudName } from '@moorage/domain';
import type { Settings } from '@moorage/runtime';
import { z } from 'zod';

const values = z.record(z.string(), z.string());
export type CredentialValues = z.infer<typeof values>;

export const credentialsOfText = (text: string): CredentialValues => values.parse(JSON.parse(text));

/** Returns the providers that use credentials entered in the console. */
export async function providersWithStored(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ provider: string }>(
    'select provider from provider_credentials where stored_at is not null',
  );
  return rows.map(({ provider }) => provider);
}

/** Credentials for calls to a provider. */
export interface CredentialsInUse {
  /** A different version means different credentials. */
  readonly version: number;
  /** Values entered in the console, or null for those of the settings. */
  readonly values: CredentialValues | null;
}

/**
 * Returns the credentials in use, those entered in the console or else those of the settings. `known` is the version
 * that the caller has already opened. For that version, nothing is unsealed.
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

/** Returns the settings with their credentials replaced by those in use. */
export const withCredentials = (settings: Settings, entered: CredentialValues | null): Settings =>
  entered === null ? settings : { ...settings, ...entered };
