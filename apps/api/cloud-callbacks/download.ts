import { boundedText } from '@moorage/server';

const DOWNLOAD_MS = 5_000;
const BYTES_MAX = 64 * 1024;

/** Returns the text at an address. Throws if there is none. */
export type Download = (url: string) => Promise<string>;

/** Downloads a short text under one deadline. Redirects are not followed. */
export const boundedDownload: Download = async (url) => {
  const { hostname } = new URL(url);
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(DOWNLOAD_MS) });
  if (!response.ok) throw new Error(`${hostname} returned status ${response.status}`);
  return boundedText(response, BYTES_MAX);
};
