import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The order in which events were marked as sent, so that the sweep remembers how far every subscriber is known to have
 * them. Drawn by a trigger: processes of the version before number what they send as well. Who draws holds a lock on the
 * sequence to the end of its transaction: that is how a number which may still appear is told from one that cannot.
 */
export class OrderOfSending1764110000000 implements MigrationInterface {
  readonly name = 'OrderOfSending1764110000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create sequence outbox_sent_no;
      -- what was sent before has the number 0 and goes by its id: the default is kept beside the table, no row is written
      alter table outbox add column sent_no bigint default 0;
      alter table outbox alter column sent_no drop default;
      create function number_sent() returns trigger language plpgsql as $$
      begin
        new.sent_no := nextval('outbox_sent_no');
        return new;
      end $$;
      create trigger outbox_number_sent before insert or update of sent_at on outbox
        for each row when (new.sent_at is not null) execute function number_sent();
      create index outbox_sent on outbox (stream, sent_no, id) where sent_at is not null;

      -- every event of the stream up to here is in the consumer's inbox or behind its position, and none can appear below
      create table inbox_watermarks (
        consumer   text not null,
        stream     text not null,
        through_no bigint not null,
        through_id bigint not null,
        primary key (consumer, stream)
      );
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
