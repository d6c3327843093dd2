import { createHash } from 'node:crypto';
import { PRODUCERS, type Stream, SUBSCRIPTIONS } from '../contracts/streams';
import { SCHEDULED_BY_THE_API, WORK_OF } from '../contracts/work';
import { GRANTS, privilegesOf, roleOf, type Service, SERVICES } from './grants';

/**
 * Rows that each service may read and write in shared tables (docs/adr/0039-least-rights-per-service.md). Grants define
 * the commands of a role on a table, and a condition here limits a command to some rows. The owner of the tables, who
 * runs the migrations, is not restricted.
 */
const COMMANDS = ['select', 'insert', 'update', 'delete'] as const;
type Command = (typeof COMMANDS)[number];
/** A condition of all commands or of some. Commands without a condition apply to every row. */
type Rule = string | Partial<Record<Command, string>>;

const isOneOf = (column: string, values: readonly string[]): string =>
  `${column} = any ('{${values.map((value) => `"${value}"`).join(',')}}'::text[])`;
const isOwnedBy = (...kinds: string[]): string => isOneOf(`split_part(owner, ':', 1)`, kinds);

const eventsOf = (service: Service): [Stream, readonly string[]][] =>
  Object.entries(PRODUCERS[service]) as [Stream, readonly string[]][];
const streamsWrittenBy = (service: Service): string[] => eventsOf(service).map(([stream]) => stream);
const isWrittenBy = (service: Service): string =>
  eventsOf(service)
    .map(([stream, names]) => `stream = '${stream}' and ${isOneOf('event_name', names)}`)
    .join(' or ');
const consumerIs = (service: Service): string => `consumer = '${service}'`;

/**
 * Matches inbox rows that copy an event of the outbox exactly. A sweep stores events for another service that missed
 * them.
 */
const IN_THE_OUTBOX = `exists (
  select from outbox o
  where o.event_id = inbox.event_id and o.stream = inbox.stream and o.event_name = inbox.event_name
    and o.aggregate_id = inbox.aggregate_id and o.sequence = inbox.sequence
    and o.event_id::text = inbox.envelope ->> 'event_id' and o.stream = inbox.envelope ->> 'stream'
    and o.event_name = inbox.envelope ->> 'event_name' and o.version::text = inbox.envelope ->> 'version'
    and o.aggregate_id = inbox.envelope ->> 'aggregate_id' and o.sequence::text = inbox.envelope ->> 'sequence'
    and o.data = inbox.envelope -> 'data'
)`;
/** Restricts a record about a deployment to the Activity page of its owner. */
const OF_ITS_SUBJECT = `account_id is not distinct from (
  select d.user_id from deployments d where d.id = substring(audit_records.subject from '^deployment:([0-9]{1,9})$')::int
)`;
const relayed = (service: Service) => ({
  outbox: { insert: isWrittenBy(service), delete: 'sent_at is not null' },
  inbox: { insert: `${consumerIs(service)} or ${IN_THE_OUTBOX}` },
});

const ROWS: Readonly<Record<string, Partial<Record<Service, Rule>>>> = {
  secrets: {
    provisioner: {
      select: isOwnedBy('deployment', 'user', 'own_server', 'backup', 'provider'),
      insert: isOwnedBy('deployment', 'own_server', 'backup', 'provider'),
      update: isOwnedBy('deployment', 'own_server', 'backup', 'provider'),
      delete: isOwnedBy('deployment', 'own_server', 'backup', 'provider'),
    },
  },
  // Only the api knows who is logged in.
  audit_records: {
    provisioner: {
      insert: `actor_user_id is null and reason is null and via is null and ${OF_ITS_SUBJECT}
        and ${isOneOf(`split_part(action, '.', 1)`, ['provider', 'server'])}`,
    },
  },
  outbox: {
    api: relayed('api').outbox,
    billing: relayed('billing').outbox,
    provisioner: {
      select: isOneOf('stream', [...new Set([...SUBSCRIPTIONS.provisioner, ...streamsWrittenBy('provisioner')])]),
      insert: isWrittenBy('provisioner'),
    },
  },
  inbox: {
    api: relayed('api').inbox,
    billing: relayed('billing').inbox,
    provisioner: consumerIs('provisioner'),
  },
  inbox_positions: { provisioner: consumerIs('provisioner') },
  inbox_watermarks: { provisioner: consumerIs('provisioner') },
  event_sequences: {
    provisioner: isOneOf('stream', streamsWrittenBy('provisioner')),
    // The audit checks that the events of every stream are numbered without gaps.
    billing: {
      insert: isOneOf('stream', streamsWrittenBy('billing')),
      update: isOneOf('stream', streamsWrittenBy('billing')),
    },
  },
  work: {
    api: {
      insert: isOneOf('kind', [...WORK_OF.api, ...SCHEDULED_BY_THE_API]),
      update: isOneOf('kind', [...WORK_OF.api, ...SCHEDULED_BY_THE_API]),
      delete: isOneOf('kind', WORK_OF.api),
    },
    provisioner: isOneOf('kind', WORK_OF.provisioner),
  },
};

export interface Policy {
  readonly table: string;
  readonly role: string;
  readonly command: Command;
  readonly condition: string;
}

/**
 * Policies, with an entry for each command granted to a role on a restricted table. Without a policy, a command would
 * affect no rows.
 */
export const POLICIES: readonly Policy[] = Object.entries(ROWS).flatMap(([table, rules]) =>
  SERVICES.flatMap((service) => {
    const granted = GRANTS[table] === undefined ? [] : privilegesOf(GRANTS[table][service]);
    const rule = rules[service] ?? {};
    return COMMANDS.filter((command) => granted.some((privilege) => privilege.split(' ')[0] === command)).map(
      (command) => ({
        table,
        role: roleOf(service),
        command,
        condition: typeof rule === 'string' ? rule : (rule[command] ?? 'true'),
      }),
    );
  }),
);

const CLAUSES: Readonly<Record<Command, (condition: string) => string>> = {
  select: (condition) => `using (${condition})`,
  insert: (condition) => `with check (${condition})`,
  update: (condition) => `using (${condition}) with check (${condition})`,
  delete: (condition) => `using (${condition})`,
};

/**
 * Returns SQL that replaces the policies of each table if they differ from the rules above. The table's comment stores
 * the current policies, because changing a policy locks the table against all sessions, and this SQL runs at every
 * start.
 */
export function rowSecuritySql(): string {
  return Object.keys(ROWS)
    .map((table) => {
      const policies = POLICIES.filter((policy) => policy.table === table).map(
        ({ role, command, condition }) =>
          `create policy ${role}_${command} on ${table} for ${command} to ${role} ${CLAUSES[command](condition)};`,
      );
      const mark = `row security ${createHash('sha256').update(policies.join()).digest('hex').slice(0, 16)}`;
      return `do $rows$
declare policy record;
begin
  if obj_description('${table}'::regclass, 'pg_class') = '${mark}' then return; end if;
  for policy in select polname from pg_policy where polrelid = '${table}'::regclass loop
    execute format('drop policy %I on ${table}', policy.polname);
  end loop;
  ${policies.join('\n  ')}
  alter table ${table} enable row level security;
  comment on table ${table} is '${mark}';
end $rows$;`;
    })
    .join('\n');
}
