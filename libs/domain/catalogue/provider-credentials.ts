import { type CloudName, settingsOf } from './providers';

/** Returns the settings that form the credentials of a provider. The console uses the same names. */
export const credentialNames = (provider: CloudName): string[] =>
  Object.entries(settingsOf(provider)).flatMap(([name, { kind }]) =>
    kind === 'credential' || kind === 'secret' ? [name] : [],
  );

/** Reasons for which entered credentials are rejected. */
export const CREDENTIAL_REFUSALS = ['refused', 'rights_missing', 'other_project', 'no_answer', 'not_usable'] as const;
export type CredentialRefusal = (typeof CREDENTIAL_REFUSALS)[number];

/** Returns whether these are exactly the credential fields of the provider. */
export function areCredentials(provider: CloudName, values: Readonly<Record<string, string>>): boolean {
  const names = credentialNames(provider);
  const given = Object.keys(values);
  return given.length === names.length && names.every((name) => (values[name] ?? '').trim() !== '');
}
