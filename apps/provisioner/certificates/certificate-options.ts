/** What an installation or a test decides about certificate checks. */
export abstract class CertificateOptions {
  /** PEM of CERTIFICATE_CA_FILE: a chain must end there. null: Let's Encrypt is expected. */
  abstract readonly trustAnchors: string | null;
  /** The authority of names under `.sandbox.localhost`; null: there is no sandbox. */
  abstract readonly sandboxAnchors: (() => Promise<string>) | null;
}
