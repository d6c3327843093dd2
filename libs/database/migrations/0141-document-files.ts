import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The rendered bytes of a document, which is rendered once: its facts never change. */
export class DocumentFiles1765497600000 implements MigrationInterface {
  readonly name = 'DocumentFiles1765497600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table billing_document_files (
        document_id  bigint primary key references billing_documents (id),
        -- PDF
        content      bytea not null check (octet_length(content) <= 10485760),
        rendered_at  timestamptz not null
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table billing_document_files');
  }
}
