import {
  type ContainerAnswer,
  type DeploymentLogsAnswer,
  FOLLOW_LOGS,
  type LogLineAnswer,
  type LogSearchAnswer,
} from '@moorage/contracts';
import {
  auditLog,
  type ContainerRestartRow,
  type DeploymentRow,
  failureOf,
  type LogFollowRow,
  type LogSearchRow,
  lockLogFollow,
  messageOf,
  type StoredContainer,
  type Viewer,
} from '@moorage/database';
import {
  BILLABLE,
  HOUR_MS,
  type Instant,
  iso,
  LOG_FOLLOWED_FOR_MS,
  LOG_MESSAGES,
  type LogLevel,
  MINUTE_MS,
  SECOND_MS,
  stampInstant,
} from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { oneDeployment } from '../deployments/deployment-view';

interface LogsRequest {
  readonly viewer: Viewer;
  readonly id: number;
}

interface LineFilter {
  /** Only lines after this one. */
  readonly after?: number | undefined;
  readonly container?: string | undefined;
  readonly level?: LogLevel | undefined;
  readonly contains?: string | undefined;
}

interface LineRow {
  readonly seq: number;
  readonly at: Instant;
  readonly container: string;
  readonly level: LogLevel;
  readonly text: string;
}

/** Lines of one response. */
const LINES_MAX = 500;
/** A follow is renewed when this much of its time has passed, so that most reads write nothing. */
const RENEWED_AFTER_MS = 10_000;
/** A follow that takes longer than this to begin waits for a place. */
const PLACE_MS = 20 * SECOND_MS;
/** Interval after which a read by staff is recorded again. */
const READ_AGAIN_MS = 10 * MINUTE_MS;
/** Searches per deployment whose results are stored. */
const SEARCHES_STORED = 5;
/** Age from which the results of a search are searched for again. */
const SEARCH_AGAIN_MS = MINUTE_MS;
/** A failed search is tried again sooner, because the server may be reachable again. */
const FAILED_AGAIN_MS = 10 * SECOND_MS;

/** Logs of deployments. The provisioner follows them as long as they are read here. */
@Injectable()
export class DeploymentLogs {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly work: WorkSchedule,
  ) {}

  read(request: LogsRequest, filter: LineFilter): Promise<DeploymentLogsAnswer> {
    return this.db.tx('logs.read', async (tx) => {
      const now = await this.clock.now(tx);
      const follow = await this.follow(tx, request, now);
      if (follow === null) return OVER;
      const rows = await linesOf(tx, request.id, filter);
      const reason =
        messageOf(follow) ??
        (follow.state === 'connecting' && now - follow.started_at > PLACE_MS ? LOG_MESSAGES.waiting : null);
      return {
        state: follow.state,
        reason,
        lines: rows.slice(0, LINES_MAX).map(lineAnswer),
        containers: await containersOf(tx, follow, now),
        has_more: rows.length > LINES_MAX,
        left_out: follow.left_out,
        followed_since: iso(follow.started_at),
      };
    });
  }

  /** Requests a search, or returns the results of one that was requested before. */
  search(request: LogsRequest, contains: string): Promise<LogSearchAnswer> {
    return this.db.tx('logs.search', async (tx) => {
      const now = await this.clock.now(tx);
      const follow = await this.follow(tx, request, now);
      if (follow === null) return { state: 'over', lines: [], left_out: 0 };
      const { id } = request;
      const known = await findSearch(tx, id, contains);
      const isOld = known !== null && known.answered_at !== null && now - known.answered_at > againAfter(known);
      if (isOld)
        await tx.execute('delete from log_searches where deployment_id = $1 and contains = $2', [id, contains]);
      if (known !== null && !isOld) return searchAnswer(known);
      await tx.execute('insert into log_searches (deployment_id, contains, asked_at) values ($1, $2, $3)', [
        id,
        contains,
        iso(now),
      ]);
      await tx.execute(
        `delete from log_searches where deployment_id = $1 and contains <> $2 and contains not in (
           select contains from log_searches where deployment_id = $1 order by asked_at desc, contains limit $3)`,
        [id, contains, SEARCHES_STORED],
      );
      return { state: 'searching', lines: [], left_out: 0 };
    });
  }

  /** Renews the follow of the logs. Returns null if the deployment does not run. */
  private async follow(tx: Tx, { viewer, id }: LogsRequest, now: Instant): Promise<LogFollowRow | null> {
    const row = await oneDeployment<Pick<DeploymentRow, 'user_id' | 'status'>>(
      tx,
      'select d.user_id, d.status from deployments d',
      { id, viewer },
    );
    if (viewer.userId !== row.user_id) {
      const subject = `deployment:${id}`;
      const entry = { action: 'deployment.logs_read', subject, accountId: row.user_id, facts: {}, at: now } as const;
      await auditLog.recordRead(tx, { actor: viewer.userId, ...entry }, READ_AGAIN_MS);
    }
    if (!BILLABLE.includes(row.status)) return null;
    const until = iso(now + LOG_FOLLOWED_FOR_MS);
    const created = await tx.query<LogFollowRow>(
      `insert into log_follows (deployment_id, wanted_until, started_at) values ($1, $2, $3)
       on conflict (deployment_id) do nothing returning *`,
      [id, until, iso(now)],
    );
    const follow = created[0] ?? (await lockLogFollow(tx, id));
    if (follow === null) throw new Error('the follow of the logs does not exist');
    if (follow.wanted_until < now + LOG_FOLLOWED_FOR_MS - RENEWED_AFTER_MS)
      await tx.execute('update log_follows set wanted_until = $2 where deployment_id = $1', [id, until]);
    // One that is over may have lost its work, for example with a restored database.
    if (created.length > 0 || follow.wanted_until <= now)
      await this.work.schedule(tx, { kind: FOLLOW_LOGS, key: String(id), due_at: now });
    return follow;
  }
}

const OVER: DeploymentLogsAnswer = {
  state: 'over',
  reason: LOG_MESSAGES.over,
  lines: [],
  containers: [],
  has_more: false,
  left_out: 0,
  followed_since: null,
};

const LINES = `
select seq::float8 as seq, at, container, level, text from log_lines
where deployment_id = $1 and seq > $2 and ($3::text is null or container = $3) and ($4::text is null or level = $4)
  and ($5::text is null or position(lower($5) in lower(text)) > 0)
order by seq limit $6`;

function linesOf(tx: Tx, id: number, { after = 0, container, level, contains }: LineFilter): Promise<LineRow[]> {
  const filter = [container ?? null, level ?? null, contains ?? null];
  return tx.query<LineRow>(LINES, [id, after, ...filter, LINES_MAX + 1]);
}

const lineAnswer = ({ at, ...line }: LineRow): LogLineAnswer => ({ ...line, at: iso(at) });

async function findSearch(tx: Tx, id: number, contains: string): Promise<LogSearchRow | null> {
  const [row] = await tx.query<LogSearchRow>('select * from log_searches where deployment_id = $1 and contains = $2', [
    id,
    contains,
  ]);
  return row ?? null;
}

const againAfter = ({ state }: LogSearchRow): number => (state === 'failed' ? FAILED_AGAIN_MS : SEARCH_AGAIN_MS);

function searchAnswer({ state, lines, left_out }: LogSearchRow): LogSearchAnswer {
  return {
    state: state === 'asked' ? 'searching' : state,
    left_out,
    lines: lines.map(({ stamp, ...line }, index) => ({ seq: index + 1, at: iso(stampInstant(stamp)), ...line })),
  };
}

async function containersOf(tx: Tx, { deployment_id: id, containers }: LogFollowRow, now: Instant) {
  if (containers.length === 0) return [];
  const restarts = await tx.query<ContainerRestartRow>(
    `select distinct on (container) * from container_restarts where deployment_id = $1 and requested_at > $2
     order by container, requested_at desc`,
    [id, iso(now - HOUR_MS)],
  );
  return containers.map((container) =>
    containerAnswer(
      container,
      restarts.find((restart) => restart.container === container.name),
    ),
  );
}

function containerAnswer(
  { name, state, health, restarts, started_at, memory_bytes, declared }: StoredContainer,
  restart: ContainerRestartRow | undefined,
): ContainerAnswer {
  return {
    name,
    state,
    health,
    restarts,
    started_at,
    memory_bytes,
    is_restartable: declared,
    restart:
      restart === undefined
        ? null
        : { state: restart.state, requested_at: iso(restart.requested_at), failure: failureOf(restart) },
  };
}
