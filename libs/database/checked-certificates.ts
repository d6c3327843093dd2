import type { CertificateVerdict, Message, RefusalProblem } from '@moorage/domain';
import type { Reads, Tx } from '@moorage/server';

/** An entry of `dns_checks.certificates`: what one host name showed when it was last checked. Instants are ISO texts. */
export interface CheckedCertificate {
  readonly host: string;
  /** The address that was asked: what it showed says nothing about another one. */
  readonly address: string;
  readonly verdict: CertificateVerdict;
  /** For the customer; null when good. */
  readonly reason: Message | null;
  /** What the authority answered instead of a certificate; null: nothing that is known. */
  readonly refusal: CertificateRefusal | null;
  readonly issuer: string | null;
  readonly expires_at: string | null;
  readonly checked_at: string;
}

export interface CertificateRefusal {
  readonly problem: RefusalProblem;
  /** The authority's own words. */
  readonly words: string;
}

export async function checkedCertificates(tx: Reads, deploymentId: number): Promise<readonly CheckedCertificate[]> {
  const [row] = await tx.query<{ certificates: readonly CheckedCertificate[] }>(
    'select certificates from dns_checks where deployment_id = $1',
    [deploymentId],
  );
  return row?.certificates ?? [];
}

/** The row is there: a certificate is asked for only after a DNS check. */
export async function saveCheckedCertificates(
  tx: Tx,
  deploymentId: number,
  certificates: readonly CheckedCertificate[],
): Promise<void> {
  await tx.execute('update dns_checks set certificates = $2 where deployment_id = $1', [
    deploymentId,
    JSON.stringify(certificates),
  ]);
}
