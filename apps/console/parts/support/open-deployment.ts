/**
 * Returns the deployment that has its details open, or null. Reads it from the address or from the history entry in
 * which the dashboard stores its open drawer.
 */
export function openDeployment(): number | null {
  const shown = /^\/(?:admin-)?deployments\/([1-9]\d{0,9})(?:\/|$)/.exec(location.pathname)?.[1];
  if (shown !== undefined) return Number(shown);
  const entry = history.state as { usr?: { deployment?: unknown } | null } | null;
  const id = entry?.usr?.deployment;
  return typeof id === 'number' ? id : null;
}
