import { asciiDomain, type Draft, isSimulatedOwnServer } from '@moorage/domain';

/** Converts a typed domain to its DNS form, without surrounding spaces or a leading https://. */
export function tidyDomain(typed: string): string {
  return asciiDomain(
    typed
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/[./]+$/, ''),
  );
}

/** Returns whether the server of an order can have a domain of the sandbox, in installations that have one. */
export const isSandboxServer = ({
  server_type,
  vps_ip_address,
}: Pick<Draft, 'server_type' | 'vps_ip_address'>): boolean =>
  server_type === 'new' || (server_type === 'vps' && isSimulatedOwnServer(vps_ip_address));

const SUFFIX_DIGITS = 6;

/** Returns a domain that resolves automatically, for installations with simulated clouds. Each order gets its own. */
export function sandboxDomain({ pack, at, zone }: { pack: string; at: number; zone: string }): string {
  return `${pack.toLowerCase().replace(/[^a-z0-9]/g, '')}-${String(at).slice(-SUFFIX_DIGITS)}.${zone}`;
}
