// The certificate library requires this import first.
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { DAY_MS } from '@moorage/domain';
import type { Clock, Db } from '@moorage/server';

export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

interface StoredAuthority {
  readonly certificate: string;
  readonly private_key: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const VALID_DAYS = 90;
/** Far in the past, so that certificates issued under a changed lab clock are already valid for Node's own clock. */
const NOT_BEFORE = new Date(Date.UTC(2020, 0, 1));
const ROOT_NOT_AFTER = new Date(Date.UTC(2120, 0, 1));
export const SANDBOX_AUTHORITY_NAME = 'Moorage Sandbox Authority';

/**
 * The sandbox's certificate authority. There is one per installation, stored in `sandbox_state`, and the certificate
 * check expects it.
 */
export class SandboxAuthority {
  private loaded: Promise<StoredAuthority> | undefined;

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
  ) {}

  /** Returns the root certificate as PEM, the trust anchor of sandbox names. */
  async certificate(): Promise<string> {
    return (await this.load()).certificate;
  }

  /** Issues a certificate for one name, valid for 90 days. */
  async issue(host: string): Promise<TlsIdentity> {
    const root = await this.load();
    const keys = await makeKeys();
    const certificate = await x509.X509CertificateGenerator.create(
      {
        subject: `CN=${host}`,
        issuer: new x509.X509Certificate(root.certificate).subject,
        notBefore: NOT_BEFORE,
        notAfter: new Date(this.clock.localNow() + VALID_DAYS * DAY_MS),
        publicKey: keys.publicKey,
        signingKey: await importKey(root.private_key),
        signingAlgorithm: ALGORITHM,
        extensions: [
          new x509.BasicConstraintsExtension(false),
          new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: host }]),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        ],
      },
      webcrypto,
    );
    return { cert: certificate.toString('pem'), key: await exportKey(keys) };
  }

  /** Returns the certificate of a router that has no issued certificate yet. */
  async selfSigned(): Promise<TlsIdentity> {
    const keys = await makeKeys();
    const certificate = await selfSign(keys, 'CN=TRAEFIK DEFAULT CERT', false);
    return { cert: certificate.toString('pem'), key: await exportKey(keys) };
  }

  private load(): Promise<StoredAuthority> {
    this.loaded ??= loadOrMake(this.db).catch((error: unknown) => {
      this.loaded = undefined;
      throw error;
    });
    return this.loaded;
  }
}

/** Loads or creates the authority. If two processes start at once, both use the first row. */
async function loadOrMake(db: Db): Promise<StoredAuthority> {
  const keys = await makeKeys();
  const created = await selfSign(keys, `CN=${SANDBOX_AUTHORITY_NAME}, O=Moorage Sandbox`, true);
  const value: StoredAuthority = { certificate: created.toString('pem'), private_key: await exportKey(keys) };
  return db.tx('sandbox.authority', async (tx) => {
    await tx.execute(
      `insert into sandbox_state (name, value) values ('authority', $1::jsonb) on conflict (name) do nothing`,
      [JSON.stringify(value)],
    );
    const [row] = await tx.query<{ value: StoredAuthority }>(
      `select value from sandbox_state where name = 'authority'`,
    );
    return row?.value ?? value;
  });
}

function selfSign(keys: webcrypto.CryptoKeyPair, name: string, authority: boolean): Promise<x509.X509Certificate> {
  return x509.X509CertificateGenerator.createSelfSigned(
    {
      name,
      notBefore: NOT_BEFORE,
      notAfter: ROOT_NOT_AFTER,
      keys,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.BasicConstraintsExtension(authority, undefined, true),
        ...(authority
          ? [new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true)]
          : []),
      ],
    },
    webcrypto,
  );
}

async function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function exportKey(keys: webcrypto.CryptoKeyPair): Promise<string> {
  const raw = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return x509.PemConverter.encode(raw, 'PRIVATE KEY');
}

function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  return webcrypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(pem), ALGORITHM, true, ['sign']);
}
