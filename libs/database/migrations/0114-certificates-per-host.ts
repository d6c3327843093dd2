import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What each host name of a deployment showed at the last certificate check, beside what was seen of its DNS records. */
export class CertificatesPerHost1764114000000 implements MigrationInterface {
  readonly name = 'CertificatesPerHost1764114000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- a CheckedCertificate for each name that wants a certificate (libs/database/checked-certificates.ts)
      alter table dns_looks add column certificates jsonb not null default '[]';
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
