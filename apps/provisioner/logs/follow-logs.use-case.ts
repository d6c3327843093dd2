import { FOLLOW_LOGS } from '@moorage/contracts';
import {
  type DeploymentRow,
  type LogFollowRow,
  type LogSearchRow,
  lockLogFollow,
  messageColumns,
  type StoredContainer,
} from '@moorage/database';
import {
  BILLABLE,
  DAY_MS,
  type Instant,
  iso,
  LOG_LINES_STORED,
  LOG_MESSAGES,
  LOG_SEARCH_DAYS,
  LOG_SEARCH_LINES_MAX,
  logLevel,
  type Masker,
  masker,
  type Message,
  parseLogLines,
  type RawLogLine,
  stampInstant,
} from '@moorage/domain';
import { assertLease, type Claim, type Outcome, WorkSchedule } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { failureOf } from '../runs/step-failure';
import { ServerSessions } from '../servers/server-sessions.service';
import { findServer, type ServerRow } from '../server-store/server-store';
import type { ContainerLogs } from '../ssh/host-scripts';
import type { SshSession } from '../ssh/types';
import { factsOf } from '../runs/script-errors';
import { LogSecrets } from './log-secrets.service';
import { type Known, type NewLine, NewLines } from './new-lines';

/** Maximum number of deployments per process whose logs are followed at the same time. */
const CONCURRENCY = 10;
const POLL_MS = 2_000;
const AGAIN_MS = 10_000;
const ASK_MS = 30_000;
const SEARCH_MS = 60_000;
/** Run number of a script that only reads. It takes no lock, so it delays no run. */
const READS_ONLY = 0;

interface Loaded {
  readonly deployment: DeploymentRow;
  readonly server: ServerRow | null;
  readonly follow: LogFollowRow;
  readonly known: ReadonlyMap<string, Known>;
}

/** Work of the next round. */
interface Wanted {
  readonly searches: readonly LogSearchRow[];
  /** Secrets, if they have changed since `mark`. */
  readonly secrets: readonly string[] | null;
  readonly mark: string;
  readonly now: Instant;
}

/** Follows the logs of deployments while they are read, and searches older logs. */
@Injectable()
export class FollowLogs implements OnModuleDestroy {
  private readonly stopping = new AbortController();

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly work: WorkSchedule,
    private readonly sessions: ServerSessions,
    private readonly secrets: LogSecrets,
    private readonly log: Log,
  ) {}

  /** Ends all follows, which would go on for as long as messaging waits for work. */
  onModuleDestroy(): void {
    this.stopping.abort();
  }

  @HandlesWork(FOLLOW_LOGS, { concurrency: CONCURRENCY })
  async run(claim: Claim, lost: AbortSignal): Promise<Outcome> {
    const signal = AbortSignal.any([lost, this.stopping.signal]);
    const loaded = await this.db.tx('logs.load', (tx) => this.load(tx, claim));
    if (loaded === null) return this.end(claim);
    const { deployment, server } = loaded;
    const place = { deployment, server, fencingToken: READS_ONLY, step: 'logs' };
    try {
      await this.sessions.openFor(place, signal, (session) => this.follow(session, loaded, claim, signal));
    } catch (error) {
      const now = await this.now();
      if (signal.aborted) return { retry_at: now, reason: 'interrupted' };
      const { message, detail } = failureOf(LOG_MESSAGES.unreadable, error, deployment);
      this.log.info('logs could not be followed', { deployment_id: deployment.id, reason: detail });
      const commit = (tx: Tx): Promise<void> => this.unreachable(tx, deployment.id, message);
      return { retry_at: now + AGAIN_MS, reason: message.detail, commit };
    }
    if (signal.aborted) return { retry_at: await this.now(), reason: 'interrupted' };
    return this.end(claim);
  }

  /** Returns null if nobody reads the logs any longer, or if the deployment does not run. */
  private async load(tx: Tx, claim: Claim): Promise<Loaded | null> {
    const found = await this.wantedFollow(tx, claim);
    if (found === null) return null;
    const { deployment, follow } = found;
    const newest = await tx.query<{ container: string; stamp: string; texts: string[] }>(
      `select l.container, l.stamp, array_agg(l.text) as texts from log_lines l
       where l.deployment_id = $1 and l.stamp = (
         select max(m.stamp) from log_lines m where m.deployment_id = $1 and m.container = l.container
       ) group by l.container, l.stamp`,
      [deployment.id],
    );
    return {
      deployment,
      follow,
      server: await findServer(tx, deployment.id),
      known: new Map(newest.map(({ container, stamp, texts }) => [container, { stamp, texts: new Set(texts) }])),
    };
  }

  private async wantedFollow(
    tx: Tx,
    claim: Claim,
  ): Promise<{ deployment: DeploymentRow; follow: LogFollowRow } | null> {
    const [deployment] = await tx.query<DeploymentRow>('select * from deployments where id = $1', [Number(claim.key)]);
    const follow = await lockLogFollow(tx, Number(claim.key));
    const isRunning = deployment !== undefined && BILLABLE.includes(deployment.status);
    if (follow === null || !isRunning || follow.wanted_until <= (await this.clock.now(tx))) return null;
    return { deployment, follow };
  }

  /** Ends the follow and removes its lines, unless it was requested again in the meantime. */
  private end(claim: Claim): Outcome {
    const id = Number(claim.key);
    return {
      done: true,
      commit: async (tx) => {
        const wanted = await this.wantedFollow(tx, claim);
        if (wanted === null) await tx.execute('delete from log_follows where deployment_id = $1', [id]);
        else await this.work.schedule(tx, { kind: FOLLOW_LOGS, key: claim.key, due_at: await this.clock.now(tx) });
      },
    };
  }

  private async unreachable(tx: Tx, id: number, message: Message): Promise<void> {
    if ((await lockLogFollow(tx, id)) === null) return;
    await tx.execute(
      `update log_follows set state = 'unreachable', message = $2, message_code = $3, message_facts = $4
       where deployment_id = $1`,
      [id, ...messageColumns(message)],
    );
    // A search has no results either. Its reader may repeat it.
    await tx.execute(
      `update log_searches set state = 'failed', answered_at = $2 where deployment_id = $1 and state = 'asked'`,
      [id, iso(await this.clock.now(tx))],
    );
  }

  /** Requests new lines every two seconds until the logs are no longer read. */
  private async follow(session: SshSession, loaded: Loaded, claim: Claim, signal: AbortSignal): Promise<void> {
    const { deployment, follow, known } = loaded;
    const lines = new NewLines(known, follow.floor);
    const values = new Set<string>();
    let masking: Masker = masker([]);
    let mark: string | null = null;
    while (!signal.aborted) {
      const wanted = await this.db.tx('logs.wanted', (tx) => this.wanted(tx, claim, mark));
      if (wanted === null) return;
      if (wanted.secrets !== null) {
        // Earlier values stay, because earlier lines may contain them.
        for (const value of wanted.secrets) values.add(value);
        masking = masker(values);
        mark = wanted.mark;
      }
      const { since } = lines;
      const sent = await this.ask(session, { since: since ?? firstInstant(wanted.now) }, signal);
      // Before the first request there are always older lines, for which there is the search.
      const leftOut = since === null ? 0 : sent.left_out;
      const taken = lines.take(sent.lines, masking, sent.left_out);
      await this.db.tx('logs.store', (tx) => this.store(tx, claim, { taken, leftOut, containers: sent.containers }));
      for (const search of wanted.searches) await this.answer(session, { search, values, claim, deployment }, signal);
      await this.clock.sleep(POLL_MS, signal);
    }
  }

  private async wanted(tx: Tx, claim: Claim, mark: string | null): Promise<Wanted | null> {
    const found = await this.wantedFollow(tx, claim);
    if (found === null) return null;
    const { deployment } = found;
    const searches = await tx.query<LogSearchRow>(
      `select * from log_searches where deployment_id = $1 and state = 'asked' order by asked_at`,
      [deployment.id],
    );
    const newMark = await this.secrets.mark(tx, deployment);
    const secrets = newMark === mark ? null : await this.secrets.values(tx, deployment);
    const now = await this.clock.now(tx);
    await assertLease(tx, claim);
    return { searches, secrets, mark: newMark, now };
  }

  private now(): Promise<Instant> {
    return this.db.read('logs.now', (tx) => this.clock.now(tx));
  }

  private async ask(
    session: SshSession,
    { since, contains = '' }: { since: string; contains?: string },
    signal: AbortSignal,
  ): Promise<{ lines: RawLogLine[]; left_out: number; containers: StoredContainer[] }> {
    const args = {
      since,
      lines: contains === '' ? LOG_LINES_STORED : LOG_SEARCH_LINES_MAX,
      contains: Buffer.from(contains).toString('base64url'),
    };
    const limits = { deadline_ms: contains === '' ? ASK_MS : SEARCH_MS, signal };
    const { lines, left_out, containers } = factsOf(await session.run('container-logs', args, limits));
    return { lines: parseLogLines(Buffer.from(lines, 'base64').toString()), left_out, containers: stored(containers) };
  }

  private async store(
    tx: Tx,
    claim: Claim,
    { taken, leftOut, containers }: { taken: readonly NewLine[]; leftOut: number; containers: StoredContainer[] },
  ): Promise<void> {
    const id = Number(claim.key);
    if ((await lockLogFollow(tx, id)) === null) return;
    if (taken.length > 0) await tx.execute(INSERT, [id, ...columnsOf(taken)]);
    const [removed] = await tx.query<{ floor: string | null }>(TRIM, [id, LOG_LINES_STORED]);
    await tx.execute(
      `update log_follows set state = 'following', message = null, message_code = null, message_facts = null,
         containers = $2, left_out = least(left_out + $3, 1000000000), floor = greatest(floor, $4)
       where deployment_id = $1`,
      [id, JSON.stringify(containers), leftOut, removed?.floor ?? ''],
    );
    await assertLease(tx, claim);
  }

  /** Searches the older logs on the server. Lines in which only a secret contains the text are not found. */
  private async answer(
    session: SshSession,
    {
      search,
      values,
      claim,
      deployment,
    }: { search: LogSearchRow; values: ReadonlySet<string>; claim: Claim; deployment: DeploymentRow },
    signal: AbortSignal,
  ): Promise<void> {
    const sent = await this.ask(session, { since: firstInstant(search.asked_at), contains: search.contains }, signal);
    const masking = masker(values);
    const text = search.contains.toLowerCase();
    const found = sent.lines
      .map((line) => ({ line, shown: masking.mask(line.container, line.text, line.isCut) }))
      .filter(({ shown }) => shown.toLowerCase().includes(text))
      .map(({ line: { stamp, container }, shown }) => ({ stamp, container, level: logLevel(shown), text: shown }));
    await this.db.tx('logs.answer', async (tx) => {
      if ((await lockLogFollow(tx, deployment.id)) === null) return;
      await tx.execute(
        `update log_searches set state = 'done', lines = $3, left_out = $4, answered_at = $5
         where deployment_id = $1 and contains = $2 and state = 'asked'`,
        [deployment.id, search.contains, JSON.stringify(found), sent.left_out, iso(await this.clock.now(tx))],
      );
      await assertLease(tx, claim);
    });
  }
}

const firstInstant = (now: Instant): string => iso(now - LOG_SEARCH_DAYS * DAY_MS);

const INSERT = `
insert into log_lines (deployment_id, stamp, at, container, level, text)
select $1, stamp, at, container, level, text
from unnest($2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[])
  with ordinality as line (stamp, at, container, level, text, number)
order by number`;

const TRIM = `
with gone as (
  delete from log_lines where deployment_id = $1 and seq <= (
    select seq from log_lines where deployment_id = $1 order by seq desc offset $2 limit 1
  ) returning stamp
) select max(stamp) as floor from gone`;

const columnsOf = (lines: readonly NewLine[]): readonly (readonly string[])[] => [
  lines.map(({ stamp }) => stamp),
  lines.map(({ stamp }) => iso(stampInstant(stamp))),
  lines.map(({ container }) => container),
  lines.map(({ level }) => level),
  lines.map(({ text }) => text),
];

/** Docker's time of a container that was never started is in the year 1. */
const stored = (containers: ContainerLogs['containers']): StoredContainer[] =>
  containers.map((container) => {
    const started = Date.parse(container.started_at);
    return { ...container, started_at: started > 0 ? iso(started) : null };
  });
