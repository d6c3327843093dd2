/** Settings of an installation or a test for certificate checks. */
export abstract class CertificateOptions {
  /** PEM of CERTIFICATE_CA_FILE, in which every chain must end. Null means that Let's Encrypt is expected. */
  abstract readonly trustAnchors: string | null;
  /** Returns the authority of names under `.sandbox.localhost`. Null if there is no sandbox. */
  abstract readonly sandboxAnchors: (() => Promise<string>) | null;
}
