import { isRequested, withDefaults } from '@moorage/domain';
import type { Random } from '@moorage/server';
import type { SecretKind } from './manifest';
import type { MissingSecrets } from './types';

const HEX = '0123456789abcdef';
const TOKEN = 'abcdefghijklmnopqrstuvwxyz0123456789';
/**
 * Characters that are safe in .env files, shells and YAML, and that both products accept (docs/packages.md#passwords).
 */
const PASSWORD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-!@%^*';
const PASSWORD_CLASSES = [/[A-Z]/, /[a-z]/, /\d/, /[-!@%^*]/];

export const missingSecrets: MissingSecrets = (manifest, values, known, random) => {
  const given = withDefaults(manifest, values);
  const wanted = manifest.secrets.filter(
    (row) => !known.has(row.name) && !given.has(row.name) && isRequested(row, (name) => given.has(name)),
  );
  return Object.fromEntries(wanted.map(({ name, kind, length }) => [name, make(kind, length, random)]));
};

function make(kind: SecretKind, length: number, random: Random): string {
  switch (kind) {
    case 'base64_key':
      return `base64:${random.bytes(length).toString('base64')}`;
    case 'hex':
      return random.text(length, HEX);
    case 'token':
      return random.text(length, TOKEN);
    case 'password':
      return password(length, random);
  }
}

/** Generates passwords until one contains every class. At 20 characters, two out of three do. */
function password(length: number, random: Random): string {
  for (;;) {
    const text = random.text(length, PASSWORD);
    if (PASSWORD_CLASSES.every((kind) => kind.test(text))) return text;
  }
}
