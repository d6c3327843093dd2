const PREFIX = 'deactivated_';

/**
 * Returns whether a username belongs to a deactivated account. The specification defines this prefix for the console.
 */
export function isDeactivatedUsername(username: string): boolean {
  return username.startsWith(PREFIX);
}

/** Returns the username of a deactivated account, `deactivated_{id}_{old name}`. */
export function deactivatedUsername(id: number, username: string): string {
  return `${PREFIX}${id}_${username}`;
}

/** Returns the username an account had before it was deactivated. Any other username is returned unchanged. */
export function reactivatedUsername(id: number, username: string): string {
  const prefix = deactivatedUsername(id, '');
  return username.startsWith(prefix) ? username.slice(prefix.length) : username;
}
