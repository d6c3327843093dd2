import { X509Certificate } from 'node:crypto';
import { request } from 'node:https';
import { connect, type DetailedPeerCertificate } from 'node:tls';

/** Address a browser would use for `host` after the DNS lookup, and the only root certificate it trusts. */
export interface Site {
  readonly host: string;
  readonly address: string;
  readonly port: number;
  readonly root: string;
}

/**
 * Returns the certificate chain of a site, from its own certificate to the root. Rejects if it does not end at the
 * trusted root.
 */
export function chainOf({ host, address, port, root }: Site): Promise<X509Certificate[]> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, servername: host, ca: root, timeout: 10_000 });
    socket.once('timeout', () => socket.destroy(new Error(`${host} is silent`)));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const chain = [];
      let at: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
      while (at !== undefined) {
        chain.push(new X509Certificate(at.raw));
        // The root is its own issuer.
        at = at.issuerCertificate === at ? undefined : at.issuerCertificate;
      }
      socket.destroy();
      resolve(chain);
    });
  });
}

export interface Page {
  readonly status: number;
  /** Target of a redirect. */
  readonly location: string | null;
  readonly text: string;
}

export function visit(
  { host, address, port, root }: Site,
  path: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Page> {
  return new Promise((resolve, reject) => {
    const requested = request(
      { host: address, port, servername: host, ca: root, agent: false, method, path, headers: { host, ...headers } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk) => (text += String(chunk)));
        answer.once('error', reject);
        answer.once('end', () =>
          resolve({ status: answer.statusCode ?? 0, location: answer.headers.location ?? null, text }),
        );
      },
    );
    requested.setTimeout(10_000, () => requested.destroy(new Error(`${host}${path} is silent`)));
    requested.once('error', reject);
    requested.end(body);
  });
}
