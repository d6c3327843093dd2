import { builtInCosts, type CloudName, type Instant, PROVIDERS } from '@moorage/domain';
import type { Clock } from '@moorage/server';
import {
  type Cloud,
  CloudError,
  type Clouds,
  cloudsOf,
  type CloudServer,
  type ServerFailure,
  type ServerLabels,
  type ServerSpec,
} from '@moorage/provisioner/clouds/cloud';
import type { Holding, Removal } from '@moorage/provisioner/clouds/holdings';
import {
  failsLater,
  type FaultMode,
  refusalOf,
  type SandboxCall,
  shownUnder,
  stopsServer,
} from '@moorage/provisioner/clouds/sandbox/faults';
import { POWER_OF, resizeInSteps } from '@moorage/provisioner/clouds/resize-steps';

/** A cloud without a database for simulation tests. It outlives the actors that crash around it. */
export interface MemoryClouds {
  readonly clouds: Clouds;
  /** Returns all live servers of all providers. */
  living(): readonly CloudServer[];
  /** Returns the user data of a server. */
  userDataOf(id: string): string;
  /** Returns how many servers were ever created for a ref. */
  createdFor(ref: string): number;
  fault(provider: CloudName | 'any', call: SandboxCall, mode: FaultMode, times: number): void;
  /** Makes the provider lose a server. */
  vanish(id: string): void;
  /** Switches a server off at its provider. */
  switchOff(id: string): void;
  /** Hides a live server at the provider, or shows it again with false. */
  hide(id: string, hidden: boolean): void;
  /** Gives a server another address at the provider, or hides its address for now. */
  readdress(id: string, address: string | null): void;
  /** Sets the repairs or the error of the next check of the firewalls at this provider. */
  rules(provider: CloudName, found: readonly string[] | CloudError): void;
  /** Resources of the providers besides servers, which a test may change. */
  readonly held: HeldAt[];
  /** Starts an incident that affects every call at this provider, or ends it with null. */
  incident(provider: CloudName, what: Incident | null): void;
}

/**
 * Lasting incident, as opposed to a fault that counts down calls. `empty` succeeds without servers, and `partial` omits
 * every second server. With `other_project`, the credentials belong to another project with its own servers. With
 * `refused`, they are not valid.
 */
export type Incident = 'empty' | 'partial' | 'other_project' | 'refused' | 'server_error' | 'rate_limited';

export interface HeldAt extends Holding {
  readonly provider: CloudName;
}

interface CreatedServer {
  readonly provider: CloudName;
  readonly spec: ServerSpec;
  readonly id: string;
  instance_type: string;
  address: string | null;
  readonly created_at: Instant;
  ready_at: Instant;
  readonly listed_at: Instant;
  readonly vanishes_at: Instant;
  readonly address_at: Instant;
  stopped_at: Instant;
  readonly failure: { readonly at: Instant; readonly kind: ServerFailure['kind'] } | null;
  /** Project of the credentials at its creation. */
  readonly project: string;
  gone: boolean;
  hidden: boolean;
}

interface Planted {
  readonly provider: CloudName | 'any';
  readonly call: SandboxCall;
  readonly mode: FaultMode;
  remaining: number;
}

const DELAYED_LIST_MS = 30_000;
/** Number of the first address that a server gets after a resize. */
const MOVED_FROM = 32_000;

const addressOf = (number: number): string =>
  `198.${18 + Math.floor(number / 62_500)}.${Math.floor(number / 250) % 250}.${(number % 250) + 1}`;

export function createMemoryClouds({
  clock,
  boot_ms = 20_000,
}: {
  clock: Pick<Clock, 'localNow'>;
  boot_ms?: number;
}): MemoryClouds {
  const created: CreatedServer[] = [];
  const held: HeldAt[] = [];
  let moved = MOVED_FROM;
  const planted: Planted[] = [];
  const incidents = new Map<CloudName, Incident>();
  const brokenRules = new Map<CloudName, readonly string[] | CloudError>();

  const projectOf = (provider: CloudName): string =>
    incidents.get(provider) === 'other_project' ? `another-${provider}` : `memory-${provider}`;

  function take(provider: CloudName, call: SandboxCall): FaultMode | null {
    const fault = planted.find(
      (f) => f.remaining > 0 && f.call === call && (f.provider === 'any' || f.provider === provider),
    );
    if (fault === undefined) return null;
    fault.remaining -= 1;
    return fault.mode;
  }

  async function call<T>(
    provider: CloudName,
    kind: SandboxCall,
    effect: (mode: FaultMode | null, now: Instant) => T | Promise<T>,
  ): Promise<T> {
    const mode = take(provider, kind) ?? modeOf(incidents.get(provider));
    const refusal = refusalOf(mode);
    const now = clock.localNow();
    if (refusal !== null) {
      if (kind === 'resize' && stopsServer(mode)) await effect(mode, now);
      throw refusal;
    }
    for (const server of created) if (server.vanishes_at <= now) server.gone = true;
    const answer = effect(mode, now);
    if (mode === 'apply_then_fail' || mode === 'slow') throw new CloudError('transient', 'the response was lost');
    return answer;
  }

  const alive = (provider: CloudName): CreatedServer[] =>
    created.filter(
      (server) =>
        server.provider === provider && server.project === projectOf(provider) && !server.gone && !server.hidden,
    );
  const shown = (server: CreatedServer, now: Instant): CloudServer => ({
    id: server.id,
    name: server.spec.name,
    region: server.spec.region,
    ...conditionOf(server, now),
    address: now < server.address_at ? null : server.address,
    labels: server.spec.labels,
    instance_type: server.instance_type,
    created_at: server.created_at,
  });
  const carries = (server: CreatedServer, labels: Partial<ServerLabels>): boolean =>
    Object.entries(labels).every(([name, value]) => server.spec.labels[name as keyof ServerLabels] === value);

  const cloud = (name: CloudName): Cloud => ({
    name,
    budgetKey: 'memory',
    projectId: () => call(name, 'project', (mode) => (mode === 'other_project' ? `another-${name}` : projectOf(name))),
    find: (labels, region) =>
      call(name, 'find', (mode, now) =>
        shownUnder(
          mode,
          alive(name).filter(
            (server) => server.spec.region === region && carries(server, labels) && server.listed_at <= now,
          ),
        ).map((server) => shown(server, now)),
      ),
    create: (spec) =>
      call(name, 'create', (mode, now) => {
        const number = created.length + 1;
        const fails = failsLater(mode);
        const server: CreatedServer = {
          provider: name,
          spec,
          id: String(number),
          instance_type: spec.instance_type,
          address: mode === 'no_address' ? null : addressOf(number),
          created_at: now,
          ready_at: mode === 'never_boots' ? Infinity : now + boot_ms,
          listed_at: mode === 'delayed_list' ? now + DELAYED_LIST_MS : now,
          vanishes_at: mode === 'vanishes' ? now + boot_ms : Infinity,
          address_at: mode === 'late_address' ? now + 2 * boot_ms : now,
          stopped_at: mode === 'stops' ? now + boot_ms : Infinity,
          failure: fails === null ? null : { at: now + boot_ms, kind: fails },
          project: projectOf(name),
          gone: false,
          hidden: false,
        };
        created.push(server);
        return shown(server, now);
      }),
    get: (place) =>
      call(name, 'get', (mode, now) => {
        if (mode === 'empty') return null;
        const server = alive(name).find(({ id }) => id === place.id);
        return server === undefined ? null : shown(server, now);
      }),
    list: (installation) =>
      call(name, 'list', (mode, now) =>
        shownUnder(
          mode,
          alive(name).filter(
            (server) => carries(server, { 'managed-by': 'moorage', installation }) && server.listed_at <= now,
          ),
        ).map((server) => shown(server, now)),
      ),
    delete: (place) =>
      call(name, 'delete', (mode) => {
        if (mode === 'still_there') return;
        for (const server of alive(name)) if (server.id === place.id) server.gone = true;
      }),
    resize: (place, { instance_type }) =>
      call(name, 'resize', (mode, now) => {
        const server = alive(name).find(({ id }) => id === place.id);
        if (server === undefined) throw new CloudError('not_found', 'the server does not exist');
        const { state, address } = shown(server, now);
        const stop = async (): Promise<void> => void (server.stopped_at = now);
        if (stopsServer(mode)) return stop().then(() => ({ state: 'working' as const }));
        return resizeInSteps(
          { power: POWER_OF[state], hasSize: server.instance_type === instance_type, address },
          {
            stop,
            change: async () => void (server.instance_type = instance_type),
            start: async () => {
              server.stopped_at = Infinity;
              server.ready_at = now + boot_ms;
              if (PROVIDERS[name].resizing.changesAddress) server.address = addressOf(++moved);
            },
          },
        );
      }),
    repairRules: () => {
      const found = brokenRules.get(name) ?? [];
      brokenRules.delete(name);
      return found instanceof CloudError ? Promise.reject(found) : Promise.resolve([...found]);
    },
    check: () => Promise.resolve({ rights: [], quota: null }),
    holdings: {
      list: (installation) =>
        call(name, 'list', (mode) =>
          shownUnder(
            mode,
            held.filter((one) => one.provider === name && one.labels.installation === installation),
          ),
        ),
      remove: (place, installation) =>
        call(name, 'delete', (mode): Removal => {
          const at = held.findIndex((one) => one.provider === name && one.kind === place.kind && one.id === place.id);
          const found = held[at];
          if (found === undefined) return 'gone';
          if (found.labels.installation !== installation) return 'not_ours';
          if (found.used_by !== null) return 'in_use';
          if (mode !== 'still_there') held.splice(at, 1);
          return 'asked';
        }),
    },
    catalogue: () => call(name, 'catalogue', () => builtInCosts(name)),
  });

  return {
    clouds: cloudsOf(cloud),
    living: () => created.filter((server) => !server.gone).map((server) => shown(server, clock.localNow())),
    userDataOf: (id) => created.find((server) => server.id === id)?.spec.user_data ?? '',
    createdFor: (ref) => created.filter(({ spec }) => spec.labels.deployment === ref).length,
    fault: (provider, kind, mode, times) => void planted.push({ provider, call: kind, mode, remaining: times }),
    vanish(id) {
      for (const server of created) if (server.id === id) server.gone = true;
    },
    switchOff(id) {
      for (const server of created) if (server.id === id) server.stopped_at = clock.localNow();
    },
    hide(id, hidden) {
      for (const server of created) if (server.id === id) server.hidden = hidden;
    },
    readdress(id, address) {
      for (const server of created) if (server.id === id) server.address = address;
    },
    rules: (provider, found) => void brokenRules.set(provider, found),
    held,
    incident(provider, what) {
      if (what === null) incidents.delete(provider);
      else incidents.set(provider, what);
    },
  };
}

function conditionOf(server: CreatedServer, now: Instant): Pick<CloudServer, 'state' | 'failure'> {
  if (server.failure !== null && server.failure.at <= now) {
    return { state: 'failed', failure: { kind: server.failure.kind, message: 'set to fail by the test' } };
  }
  if (server.stopped_at <= now) return { state: 'stopped', failure: null };
  return { state: now < server.ready_at ? 'booting' : 'running', failure: null };
}

/**
 * Returns an incident as the fault of a single call. Another project needs no fault, because its own servers are
 * returned.
 */
function modeOf(incident: Incident | undefined): FaultMode | null {
  if (incident === undefined || incident === 'other_project') return null;
  return incident === 'refused' ? 'revoked' : incident;
}
