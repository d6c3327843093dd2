import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Messages are a code with facts beside their English text, accounts have a language, and mails are written in it. What was
 * written before keeps its text under the code `stored`.
 */
export class MessagesAndLanguages1764201600000 implements MigrationInterface {
  readonly name = 'MessagesAndLanguages1764201600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table deployments add column failure_code text, add column failure_facts jsonb;
      alter table runs add column failure_code text, add column failure_facts jsonb;
      alter table deployment_steps add column message_code text, add column message_facts jsonb;
      alter table vps_checks add column message_code text, add column message_facts jsonb;

      create function as_message(entry jsonb, field text) returns jsonb language sql immutable as $$
        select case when jsonb_typeof(entry -> field) = 'string'
          then jsonb_set(entry, array[field], jsonb_build_object('code', 'stored', 'facts', '{}'::jsonb, 'detail', entry -> field))
          else entry end
      $$;
      create function as_messages(entries jsonb, field text) returns jsonb language sql immutable as $$
        select coalesce(jsonb_agg(as_message(entry, field) order by at), '[]')
        from jsonb_array_elements(entries) with ordinality as list (entry, at)
      $$;
      update vps_checks set results = as_messages(results, 'message');
      update dns_checks set records = as_messages(records, 'reason'), certificates = as_messages(certificates, 'reason');
      update runs set memory = as_message(memory, 'said') where state = 'running' and memory ? 'said';
      update runs set memory = (memory - 'said') || jsonb_build_object('message', memory -> 'said')
      where state = 'running' and jsonb_typeof(memory -> 'said') = 'object';
      update runs set memory = as_message(memory, 'left_behind') where state = 'running' and memory ? 'left_behind';
      drop function as_messages(jsonb, text);
      drop function as_message(jsonb, text);

      alter table users add column language text not null default 'en' check (language in ('en', 'de'));
      alter table mails add column language text not null default 'en' check (language in ('en', 'de'));
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
