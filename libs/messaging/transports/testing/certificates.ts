// The certificate library requires this import first.
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const VALID = { notBefore: new Date('2020-01-01T00:00:00Z'), notAfter: new Date('2120-01-01T00:00:00Z') };

/** PEM texts. The certificate is valid for 127.0.0.1 and localhost. */
export interface Identity {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Issues a server certificate from a new certificate authority. */
export async function makeIdentity(): Promise<Identity> {
  const authority = await makeKeys();
  const root = await x509.X509CertificateGenerator.createSelfSigned(
    {
      ...VALID,
      name: 'CN=Test authority',
      keys: authority,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      ],
    },
    webcrypto,
  );
  const keys = await makeKeys();
  const certificate = await x509.X509CertificateGenerator.create(
    {
      ...VALID,
      subject: 'CN=localhost',
      issuer: root.subject,
      publicKey: keys.publicKey,
      signingKey: authority.privateKey,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.BasicConstraintsExtension(false),
        new x509.SubjectAlternativeNameExtension([
          { type: 'dns', value: 'localhost' },
          { type: 'ip', value: '127.0.0.1' },
        ]),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      ],
    },
    webcrypto,
  );
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    ca: root.toString('pem'),
    cert: certificate.toString('pem'),
    key: x509.PemConverter.encode(key, 'PRIVATE KEY'),
  };
}

async function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}
