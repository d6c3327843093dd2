import { StartRefused } from './process';

/**
 * Explains why an address cannot be listened on, in a sentence that names the setting to change. Any other error is
 * returned unchanged.
 */
export function listenRefused(
  error: NodeJS.ErrnoException,
  { host, port, setting }: { host: string; port: number; setting: 'PORT' | 'OPERATIONS_PORT' },
): Error {
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is in use by another program: stop that one, or set ${setting} to another port.`,
    EACCES: `Port ${port} of ${host} may not be used by this account: set ${setting} to another port.`,
    EADDRNOTAVAIL: `This machine has no address ${host}: set HOST to one of its own.`,
    ENOTFOUND: `This machine has no address ${host}: set HOST to one of its own.`,
  };
  const sentence = sentences[error.code ?? ''];
  return sentence === undefined ? error : new StartRefused(sentence, { cause: error });
}
