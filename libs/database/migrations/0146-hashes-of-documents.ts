import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The hash of what a document says, by which the nightly audit sees that it was altered. */
export class HashesOfDocuments1766275200000 implements MigrationInterface {
  readonly name = 'HashesOfDocuments1766275200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table billing_documents add column facts_hash bytea;

      -- what was issued before is taken as it is
      alter table billing_documents disable trigger billing_documents_append_only;
      update billing_documents set facts_hash = sha256(convert_to(facts::text, 'UTF8'));
      alter table billing_documents enable trigger billing_documents_append_only;
      alter table billing_documents alter column facts_hash set not null;

      create function hash_document() returns trigger language plpgsql as $$
      begin
        new.facts_hash := sha256(convert_to(new.facts::text, 'UTF8'));
        return new;
      end $$;
      create trigger billing_documents_hash before insert on billing_documents
        for each row execute function hash_document();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger billing_documents_hash on billing_documents;
      drop function hash_document();
      alter table billing_documents drop column facts_hash;
    `);
  }
}
