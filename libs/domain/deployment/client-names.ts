import { CONSTANTS } from '../constants';
import { ORDER_MESSAGES } from '../messages/order';
import type { Message } from '../messages/message';
import { hasUnwritable, writtenText } from '../text';
import type { Instant } from '../time';

export interface ClientNames {
  readonly client_name: string;
  readonly client_id: string;
}

/**
 * Generates the display names of an order from the email's local part, the package's name and the last six digits of
 * the time. They need not be unique, because no provider resource carries them (decision 24).
 */
export function clientNames({
  email,
  package: name,
  now,
}: {
  email: string;
  package: string;
  now: Instant;
}): ClientNames {
  const suffix = String(Math.abs(Math.trunc(now)))
    .padStart(6, '0')
    .slice(-CONSTANTS.clientNameSuffixDigits);
  const parts = [email.split('@')[0] ?? '', name].map(part).filter((text) => text !== '');
  return { client_name: [...parts, suffix].join('-'), client_id: [...parts, suffix].join('') };
}

function part(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, CONSTANTS.clientNamePartLength);
}

/** Returns whether a text is a valid display name, entered by a user or generated. */
export function isClientName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/.test(text);
}

/**
 * Returns why a name that the owner gives a deployment is rejected, or null. The name is only displayed (decision 51).
 * Leading and trailing spaces do not count.
 */
export function checkDeploymentName(name: string): Message | null {
  if (hasUnwritable(name)) return ORDER_MESSAGES.name_characters;
  const { length } = Array.from(writtenText(name));
  return length >= 1 && length <= CONSTANTS.deploymentNameMax
    ? null
    : ORDER_MESSAGES.name_length({ most: CONSTANTS.deploymentNameMax });
}

/** Returns the name of a deployment in lists. */
export function displayName({ id, client_name }: { id: number; client_name: string | null | undefined }): string {
  return client_name === null || client_name === undefined || client_name === '' ? `deployment-${id}` : client_name;
}
