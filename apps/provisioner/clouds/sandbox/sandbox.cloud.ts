import { builtInCosts, type CloudName, type CostOffer, DAY_MS, type Instant, iso, PROVIDERS } from '@moorage/domain';
import type { Clock, Db, Tx } from '@moorage/server';
import {
  type Cloud,
  CloudError,
  type CloudServer,
  type ResizeProgress,
  type ResizeTo,
  type ServerFailure,
  type ServerLabels,
  type ServerPlace,
  type ServerSpec,
} from '../cloud';
import type { CloudCheck } from '../rights';
import { NOTHING_HELD } from '../holdings';
import { POWER_OF, resizeInSteps } from '../resize-steps';
import {
  DELAYED_LIST_MS,
  failsLater,
  type FaultMode,
  refusalOf,
  type SandboxCall,
  shownUnder,
  SLOW_ANSWER_MS,
  stopsServer,
  takeFault,
} from './faults';

interface SandboxCloudOptions {
  readonly db: Db;
  readonly clock: Clock;
  /** Time from creation until SSH responds. */
  readonly boot_ms: number;
}

/**
 * Lower three quarters of the range for benchmarks (RFC 2544), whose addresses do not exist in the public network. The
 * rest belongs to simulated own servers (`own-servers.ts`).
 */
const FIRST_ADDRESS = '198.18.0.1';
const LAST_ADDRESS = '198.19.127.254';
const ADDRESSES = 98_302;
const NEVER_MS = 100 * 365 * DAY_MS;
const GONE_ROWS_RETENTION_MS = DAY_MS;

export interface SandboxServerRow {
  readonly id: number;
  readonly name: string;
  readonly region: string;
  readonly labels: ServerLabels;
  readonly instance_type: string;
  readonly address: string;
  readonly created_at: Instant;
  readonly ready_at: Instant;
  readonly quirks: Quirks;
}

interface Quirks {
  readonly token?: string;
  readonly listed_at?: Instant;
  readonly vanishes_at?: Instant;
  readonly no_address?: boolean;
  readonly address_at?: Instant;
  /** Time from which it is shown as failed, and the reason. */
  readonly failure?: { readonly at: Instant; readonly kind: ServerFailure['kind'] };
  readonly stopped_at?: Instant;
}

const COLUMNS = 'id, name, region, labels, instance_type, host(address) as address, created_at, ready_at, quirks';

/**
 * A simulated cloud behind all provider names (decisions 33). Its servers are rows, so several provisioner processes
 * see the same servers, and a killed process loses nothing.
 */
export class SandboxCloud implements Cloud {
  /** The sandbox does not count calls. */
  readonly budgetKey = null;
  /** A simulated provider has only servers. */
  readonly holdings = NOTHING_HELD;

  constructor(
    readonly name: CloudName,
    private readonly options: SandboxCloudOptions,
  ) {}

  projectId(signal?: AbortSignal): Promise<string> {
    return this.call('project', signal, (_tx, _now, mode) =>
      Promise.resolve(mode === 'other_project' ? `another-${this.name}` : `sandbox-${this.name}`),
    );
  }

  find(labels: ServerLabels, region: string, signal?: AbortSignal): Promise<CloudServer[]> {
    return this.call('find', signal, async (tx, now, mode) =>
      listed(await this.living(tx, 'region = $2 and labels @> $3::jsonb', [region, JSON.stringify(labels)]), now, mode),
    );
  }

  create(spec: ServerSpec, token: string, signal?: AbortSignal): Promise<CloudServer> {
    return this.call('create', signal, async (tx, now, mode) => {
      await tx.query(`select pg_advisory_xact_lock(hashtext('sandbox.create'))`);
      const namesakes = await this.living(tx, 'name = $2', [spec.name]);
      const known = namesakes.find((row) => row.quirks.token === token);
      if (PROVIDERS[this.name].repeatedCreate === 'same_server' && known !== undefined) return toServer(known, now);
      if (PROVIDERS[this.name].repeatedCreate !== 'second_server' && namesakes.length > 0) {
        throw new CloudError('conflict', 'a server of this name exists');
      }
      await tx.execute(`delete from sandbox_servers where state = 'gone' and gone_at < $1`, [
        iso(now - GONE_ROWS_RETENTION_MS),
      ]);
      const ready = now + (mode === 'never_boots' ? NEVER_MS : this.options.boot_ms);
      const fails = failsLater(mode);
      const quirks: Quirks = {
        token,
        ...(mode === 'delayed_list' ? { listed_at: now + DELAYED_LIST_MS } : {}),
        ...(mode === 'vanishes' ? { vanishes_at: ready } : {}),
        ...(mode === 'no_address' ? { no_address: true } : {}),
        ...(mode === 'late_address' ? { address_at: ready + this.options.boot_ms } : {}),
        ...(mode === 'stops' ? { stopped_at: ready } : {}),
        ...(fails === null ? {} : { failure: { at: ready, kind: fails } }),
      };
      const [row] = await tx.query<SandboxServerRow>(
        `insert into sandbox_servers (provider, region, instance_type, name, labels, address, user_data, quirks, created_at, ready_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${COLUMNS}`,
        [
          this.name,
          spec.region,
          spec.instance_type,
          spec.name,
          JSON.stringify(spec.labels),
          await freeAddress(tx),
          spec.user_data,
          JSON.stringify(quirks),
          iso(now),
          iso(ready),
        ],
      );
      if (row === undefined) throw new CloudError('transient', 'no row');
      return toServer(row, now);
    });
  }

  get(place: ServerPlace, signal?: AbortSignal): Promise<CloudServer | null> {
    return this.call('get', signal, async (tx, now, mode) => {
      if (mode === 'empty') return null;
      const [row] = await this.living(tx, 'id = $2', [numericId(place.id)]);
      return row === undefined ? null : toServer(row, now);
    });
  }

  list(installation: string, signal?: AbortSignal): Promise<CloudServer[]> {
    return this.call('list', signal, async (tx, now, mode) =>
      listed(
        await this.living(tx, 'labels @> $2::jsonb', [JSON.stringify({ 'managed-by': 'moorage', installation })]),
        now,
        mode,
      ),
    );
  }

  delete(place: ServerPlace, signal?: AbortSignal): Promise<void> {
    return this.call('delete', signal, async (tx, now, mode) => {
      if (mode === 'still_there') return;
      await tx.execute(
        `update sandbox_servers set state = 'gone', gone_at = $3 where provider = $1 and id = $2 and state <> 'gone'`,
        [this.name, numericId(place.id), iso(now)],
      );
    });
  }

  resize(place: ServerPlace, { instance_type }: ResizeTo, signal?: AbortSignal): Promise<ResizeProgress> {
    return this.call('resize', signal, async (tx, now, mode) => {
      await tx.query('select id from sandbox_servers where id = $1 for update', [numericId(place.id)]);
      const [row] = await this.living(tx, 'id = $2', [numericId(place.id)]);
      if (row === undefined) throw new CloudError('not_found', 'the server does not exist');
      const { state, address } = toServer(row, now);
      const change = (columns: string, ...values: readonly string[]): Promise<unknown> =>
        tx.execute(`update sandbox_servers set ${columns} where id = $1`, [row.id, ...values]);
      const stop = (): Promise<unknown> =>
        change('quirks = quirks || $2::jsonb', JSON.stringify({ stopped_at: now } satisfies Quirks));
      if (stopsServer(mode)) {
        await stop();
        return { state: 'working' };
      }
      return resizeInSteps(
        { power: POWER_OF[state], hasSize: row.instance_type === instance_type, address },
        {
          stop,
          change: () => change('instance_type = $2', instance_type),
          start: async () => {
            const next = PROVIDERS[this.name].resizing.changesAddress ? await freeAddress(tx) : row.address;
            const ready = iso(now + this.options.boot_ms);
            await change(`quirks = quirks - 'stopped_at', ready_at = $2, address = $3`, ready, next);
          },
        },
      );
    });
  }

  /** Does nothing, because simulated servers are not behind a provider firewall. */
  repairRules(): Promise<string[]> {
    return Promise.resolve([]);
  }

  /** Returns no rights, because there is no account behind it. */
  check(): Promise<CloudCheck> {
    return Promise.resolve({ rights: [], quota: null });
  }

  catalogue(signal?: AbortSignal): Promise<CostOffer> {
    return this.call('catalogue', signal, async () => builtInCosts(this.name));
  }

  /** Consumes the fault and applies the effect in one transaction. The response fails afterwards. */
  private async call<T>(
    kind: SandboxCall,
    signal: AbortSignal | undefined,
    effect: (tx: Tx, now: Instant, mode: FaultMode | null) => Promise<T>,
  ): Promise<T> {
    const { answer, mode, refusal } = await this.options.db.tx(`sandbox.${kind}`, async (tx) => {
      const now = await this.options.clock.now(tx);
      const mode = await takeFault(tx, this.name, kind);
      const refusal = refusalOf(mode);
      await vanish(tx, now);
      const isApplied = refusal === null || (kind === 'resize' && stopsServer(mode));
      return { mode, refusal, answer: isApplied ? await effect(tx, now, mode) : null };
    });
    if (refusal !== null) throw refusal;
    if (mode === 'apply_then_fail') throw new CloudError('transient', 'gateway timeout');
    if (mode === 'slow') {
      await this.options.clock.sleep(SLOW_ANSWER_MS, signal);
      if (signal?.aborted === true) throw new CloudError('transient', 'the call was aborted');
    }
    return answer as T;
  }

  private living(tx: Tx, where: string, params: readonly (string | number)[]): Promise<SandboxServerRow[]> {
    return tx.query<SandboxServerRow>(
      `select ${COLUMNS} from sandbox_servers where state <> 'gone' and provider = $1 and ${where} order by id`,
      [this.name, ...params],
    );
  }
}

function listed(rows: readonly SandboxServerRow[], now: Instant, mode: FaultMode | null): CloudServer[] {
  return shownUnder(
    mode,
    rows.filter((row) => (row.quirks.listed_at ?? 0) <= now),
  ).map((row) => toServer(row, now));
}

function toServer(row: SandboxServerRow, now: Instant): CloudServer {
  return {
    id: String(row.id),
    name: row.name,
    region: row.region,
    ...conditionOf(row, now),
    address: row.quirks.no_address === true || (row.quirks.address_at ?? 0) > now ? null : row.address,
    labels: row.labels,
    instance_type: row.instance_type,
    created_at: row.created_at,
  };
}

function conditionOf({ quirks, ready_at }: SandboxServerRow, now: Instant): Pick<CloudServer, 'state' | 'failure'> {
  if (quirks.failure !== undefined && quirks.failure.at <= now) {
    return { state: 'failed', failure: { kind: quirks.failure.kind, message: 'the sandbox was set to fail' } };
  }
  if (quirks.stopped_at !== undefined && quirks.stopped_at <= now) return { state: 'stopped', failure: null };
  return { state: ready_at > now ? 'booting' : 'running', failure: null };
}

/** Removes servers with the fault `vanishes` on the next read. */
async function vanish(tx: Tx, now: Instant): Promise<void> {
  await tx.execute(
    `update sandbox_servers set state = 'gone', gone_at = $1 where state <> 'gone' and (quirks ->> 'vanishes_at')::bigint <= $2`,
    [iso(now), now],
  );
}

/** Parses an id, which is a whole number. Any other id belongs to no server. */
const numericId = (id: string): number => (/^\d{1,9}$/.test(id) ? Number(id) : 0);

/** Returns the next address or, after the last address, the first free address. */
async function freeAddress(tx: Tx): Promise<string> {
  const [next] = await tx.query<{ address: string }>(
    `select host(coalesce(max(address) + 1, $1::inet)) as address from sandbox_servers where address <= $2::inet
     having coalesce(max(address), $1::inet) < $2::inet`,
    [FIRST_ADDRESS, LAST_ADDRESS],
  );
  if (next !== undefined) return next.address;
  const [gap] = await tx.query<{ address: string }>(
    `select host($1::inet + n) as address from generate_series(0, $2::integer - 1) n
     where not exists (select 1 from sandbox_servers where address = $1::inet + n) limit 1`,
    [FIRST_ADDRESS, ADDRESSES],
  );
  if (gap === undefined) throw new CloudError('quota', 'the sandbox has no address left');
  return gap.address;
}
