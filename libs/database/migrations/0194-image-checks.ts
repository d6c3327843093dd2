import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pinned images, compared with their registries. */
export class ImageChecks1768003900000 implements MigrationInterface {
  readonly name = 'ImageChecks1768003900000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table image_checks (
        -- as a manifest pins it
        image          text primary key check (length(image) <= 200),
        attempted_at   timestamptz not null,
        -- of the last response that said whether it exists
        checked_at     timestamptz,
        is_unreachable boolean not null default false,
        digest         text,
        -- newer tag of the same shape
        newest         text check (length(newest) <= 128),
        -- when the tag was found with another digest
        moved_at       timestamptz,
        -- first and last of consecutive checks that did not find it
        missing_from   timestamptz,
        missing_to     timestamptz,
        check (num_nulls(missing_from, missing_to) in (0, 2))
      );
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
