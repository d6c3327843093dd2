import type { CertificateVerdict, Message, RefusalProblem } from '@moorage/domain';
import type { Reads, Tx } from '@moorage/server';

/** An entry of `dns_checks.certificates`, the last check of a host name. Instants are ISO strings. */
export interface CheckedCertificate {
  readonly host: string;
  /** Address that was checked. The result does not apply to other addresses. */
  readonly address: string;
  readonly verdict: CertificateVerdict;
  /** Reason shown to the customer, or null for a good certificate. */
  readonly reason: Message | null;
  /** Response of the authority that rejected the certificate, or null if none is known. */
  readonly refusal: CertificateRefusal | null;
  readonly issuer: string | null;
  readonly expires_at: string | null;
  readonly checked_at: string;
}

export interface CertificateRefusal {
  readonly problem: RefusalProblem;
  /** Original message of the authority. */
  readonly words: string;
}

export async function checkedCertificates(tx: Reads, deploymentId: number): Promise<readonly CheckedCertificate[]> {
  const [row] = await tx.query<{ certificates: readonly CheckedCertificate[] }>(
    'select certificates from dns_checks where deployment_id = $1',
    [deploymentId],
  );
  return row?.certificates ?? [];
}

/**
 * Updates the existing row, and those of further domains. Certificates are only requested after a DNS check has created
 * the row.
 */
export async function saveCheckedCertificates(
  tx: Tx,
  deploymentId: number,
  certificates: readonly CheckedCertificate[],
): Promise<void> {
  const checked = JSON.stringify(certificates);
  await tx.execute('update dns_checks set certificates = $2 where deployment_id = $1', [deploymentId, checked]);
  await tx.execute(
    `update deployment_domains d set certificate = c.value from jsonb_array_elements($2::jsonb) c
     where d.deployment_id = $1 and d.host = c.value ->> 'host'`,
    [deploymentId, checked],
  );
}
