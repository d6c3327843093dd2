import { type Instant, MINUTE_MS } from '../time';

/**
 * Kinds of incidents of a running deployment, the most important first. An incident begins with the second failure in a
 * row and ends with the second success in a row.
 */
export const INCIDENT_KINDS = [
  'server_gone',
  'server_off',
  'down',
  'certificate_expired',
  'certificate_missing',
  'certificate_wrong',
  'dns_elsewhere',
  'disk_full',
  'container_stopped',
  'container_restarting',
  'certificate_not_renewed',
  'disk_filling',
  'memory_full',
  'slow',
] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

/** `alarm` means that visitors are affected or soon will be. */
export type Severity = 'alarm' | 'warning';

/** Action with which the owner can remedy an incident. */
export type IncidentAction =
  'start_server' | 'restart' | 'show_logs' | 'show_records' | 'change_size' | 'create_from_backup';

interface KindRule {
  readonly severity: Severity;
  /** Time for which an incident lasts before it is reported by email. A shorter one appears in the console only. */
  readonly told_after_ms: number;
  /** Open incidents of these kinds explain this one, so it is not reported as well. */
  readonly explained_by: readonly IncidentKind[];
  readonly action: IncidentAction | null;
}

const SERVER: readonly IncidentKind[] = ['server_gone', 'server_off'];
const rule = (
  severity: Severity,
  told_after_ms: number,
  action: IncidentAction | null,
  ...explained_by: readonly IncidentKind[]
): KindRule => ({ severity, told_after_ms, action, explained_by });

export const INCIDENT_RULES: Readonly<Record<IncidentKind, KindRule>> = {
  server_gone: rule('alarm', 0, 'create_from_backup'),
  server_off: rule('alarm', 0, 'start_server', 'server_gone'),
  // Meanwhile the provider reports whether the server runs, so that one email names the cause.
  down: rule('alarm', 3 * MINUTE_MS, 'restart', ...SERVER),
  certificate_expired: rule('alarm', 0, 'restart', ...SERVER, 'dns_elsewhere'),
  certificate_missing: rule('alarm', 0, 'restart', ...SERVER, 'dns_elsewhere'),
  certificate_wrong: rule('alarm', 0, 'restart', ...SERVER, 'dns_elsewhere'),
  dns_elsewhere: rule('alarm', 0, 'show_records', ...SERVER),
  disk_full: rule('alarm', 0, 'change_size'),
  container_stopped: rule('alarm', 0, 'restart', ...SERVER),
  container_restarting: rule('warning', 0, 'show_logs', ...SERVER),
  certificate_not_renewed: rule('warning', 0, 'restart', ...SERVER, 'dns_elsewhere'),
  disk_filling: rule('warning', 0, 'change_size', 'disk_full'),
  memory_full: rule('warning', 10 * MINUTE_MS, 'change_size'),
  slow: rule('warning', 10 * MINUTE_MS, 'change_size', ...SERVER, 'down'),
};

/** Kinds for which a deployment needs its owner. An alarm is only ever explained by another alarm. */
export const ALARMS = INCIDENT_KINDS.filter((kind) => INCIDENT_RULES[kind].severity === 'alarm');

/** Results in a row that begin or end an incident. */
const IN_A_ROW = 2;
/** Time after its end within which an incident that returns is the same one. Its end is reported when this is over. */
export const SETTLED_AFTER_MS = 15 * MINUTE_MS;
/**
 * Upper limit of incidents of one deployment that are not settled, so that many containers can't flood the table.
 * Incidents of the whole deployment always begin.
 */
const UNSETTLED_MAX = 30;

/** Values of the placeholders in the texts of an incident. */
export type IncidentFacts = Readonly<Record<string, string | number>>;

/** A problem that exists now. `subject` is a container or host name, or empty for the whole deployment. */
export interface Finding {
  readonly kind: IncidentKind;
  readonly subject: string;
  readonly facts: IncidentFacts;
}

/** Result of one check: the kinds it can judge, and what it found. Other kinds remain as they were. */
export interface Judged {
  readonly kinds: readonly IncidentKind[];
  readonly findings: readonly Finding[];
}

/** Latest results in a row about a kind and subject, while they differ from the state of its incident. */
export interface Streak {
  readonly failures: number;
  readonly successes: number;
  /** Time of the first result of the row. */
  readonly since: Instant;
}
/** By kind, followed by a space and the subject if there is one. */
export type Streaks = Readonly<Record<string, Streak>>;

/** An incident that has not settled: it is open, or ended a few minutes ago. */
export interface Incident {
  readonly id: number;
  readonly kind: IncidentKind;
  readonly subject: string;
  readonly facts: IncidentFacts;
  readonly began_at: Instant;
  /** Null while it is open. */
  readonly ended_at: Instant | null;
  /** Time at which its owner was informed by email, or null if that has not happened. */
  readonly told_at: Instant | null;
}

export type IncidentChange =
  /** With `is_told`, its owner is informed at once. */
  | { readonly change: 'began'; readonly finding: Finding; readonly began_at: Instant; readonly is_told: boolean }
  | { readonly change: 'returned'; readonly incident: Incident; readonly finding: Finding }
  /** It goes on with other facts, such as a fuller disk. */
  | { readonly change: 'updated'; readonly incident: Incident; readonly finding: Finding }
  | { readonly change: 'told'; readonly incident: Incident }
  | { readonly change: 'ended'; readonly incident: Incident; readonly ended_at: Instant }
  | { readonly change: 'settled'; readonly incident: Incident };

export const incidentKey = ({ kind, subject }: Pick<Finding, 'kind' | 'subject'>): string =>
  subject === '' ? kind : `${kind} ${subject}`;

/** Applies the result of a check to the incidents of a deployment that have not settled. */
export function afterJudging(
  { streaks, incidents }: { readonly streaks: Streaks; readonly incidents: readonly Incident[] },
  { kinds, findings }: Judged,
  at: Instant,
): {
  readonly streaks: Streaks;
  readonly changes: readonly IncidentChange[];
  /** The next result about one of the kinds may begin or end an incident. */
  readonly is_undecided: boolean;
} {
  const found = new Map(findings.map((finding) => [incidentKey(finding), finding]));
  const known = new Map(incidents.map((incident) => [incidentKey(incident), incident]));
  const judged = (key: string): boolean => kinds.some((kind) => key === kind || key.startsWith(`${kind} `));
  const keys = new Set([...found.keys(), ...known.keys(), ...Object.keys(streaks)].filter(judged));
  const next: Record<string, Streak> = Object.fromEntries(Object.entries(streaks).filter(([key]) => !judged(key)));
  const changes: IncidentChange[] = [];
  let room = UNSETTLED_MAX - incidents.length;
  for (const key of keys) {
    const finding = found.get(key);
    const incident = known.get(key);
    const isOpen = incident !== undefined && incident.ended_at === null;
    if (isOpen === (finding !== undefined)) {
      if (isOpen && finding !== undefined && !isSame(incident.facts, finding.facts))
        changes.push({ change: 'updated', incident, finding });
      continue;
    }
    const streak = continued(streaks[key], finding !== undefined, at);
    if (Math.max(streak.failures, streak.successes) < IN_A_ROW) next[key] = streak;
    else if (finding === undefined) {
      if (incident !== undefined) changes.push({ change: 'ended', incident, ended_at: streak.since });
    } else if (incident !== undefined) changes.push({ change: 'returned', incident, finding });
    else if (finding.subject === '' || room-- > 0)
      changes.push({ change: 'began', finding, began_at: streak.since, is_told: false });
  }
  return {
    streaks: next,
    changes: reported({ incidents, changes, found: new Set(found.keys()), at }),
    is_undecided: Object.keys(next).some((key) => judged(key)),
  };
}

/**
 * Ends every open incident, because the deployment no longer runs. Nobody is informed of that, but of ends from before.
 */
export function afterStopping(incidents: readonly Incident[], at: Instant): IncidentChange[] {
  return incidents.flatMap((incident): IncidentChange[] => [
    ...(incident.ended_at === null ? [{ change: 'ended', incident, ended_at: at } as const] : []),
    {
      change: 'settled',
      incident: incident.ended_at === null ? { ...incident, ended_at: at, told_at: null } : incident,
    },
  ]);
}

/** Returns whether another open incident explains this one. */
export function isExplained({ kind }: Pick<Incident, 'kind'>, open: readonly Pick<Incident, 'kind'>[]): boolean {
  return open.some((other) => INCIDENT_RULES[kind].explained_by.includes(other.kind));
}

/** Returns whether another open incident states the same more seriously: a full disk is also one that fills up. */
export function isRepeated({ kind }: Pick<Incident, 'kind'>, open: readonly Pick<Incident, 'kind'>[]): boolean {
  return kind === 'disk_filling' && open.some((other) => other.kind === 'disk_full');
}

/** Returns the most important of the open incidents that no other explains, or null if there is none. */
export function worstKind(kinds: readonly IncidentKind[]): IncidentKind | null {
  const open = kinds.map((kind) => ({ kind }));
  return open.filter((incident) => !isExplained(incident, open)).sort(byImportance)[0]?.kind ?? null;
}

export const byImportance = (a: Pick<Incident, 'kind'>, b: Pick<Incident, 'kind'>): number =>
  INCIDENT_KINDS.indexOf(a.kind) - INCIDENT_KINDS.indexOf(b.kind);

/**
 * Adds the reports that are due to the changes of a check. An incident is only told by a check that has found it, so that
 * no success of any check reports a failure.
 */
function reported({
  incidents,
  changes,
  found,
  at,
}: {
  readonly incidents: readonly Incident[];
  readonly changes: readonly IncidentChange[];
  /** Keys of what the check has found. */
  readonly found: ReadonlySet<string>;
  readonly at: Instant;
}): readonly IncidentChange[] {
  const has = (change: 'ended' | 'returned', incident: Incident): boolean =>
    changes.some((one) => one.change === change && one.incident === incident);
  const goOn = incidents.filter((incident) => incident.ended_at === null && !has('ended', incident));
  const open = [...goOn, ...changes.flatMap((one) => ('finding' in one ? [one.finding] : []))];
  const isDue = ({ kind }: Pick<Incident, 'kind'>, began: Instant): boolean =>
    !isExplained({ kind }, open) &&
    at - unexplainedSince(kind, { began, incidents, changes }) >= INCIDENT_RULES[kind].told_after_ms;
  return [
    ...changes.map((one) => (one.change === 'began' ? { ...one, is_told: isDue(one.finding, one.began_at) } : one)),
    ...goOn
      .filter(
        (incident) =>
          incident.told_at === null && found.has(incidentKey(incident)) && isDue(incident, incident.began_at),
      )
      .map((incident) => ({ change: 'told', incident }) as const),
    ...incidents
      .filter(
        (incident) =>
          incident.ended_at !== null && at - incident.ended_at >= SETTLED_AFTER_MS && !has('returned', incident),
      )
      .map((incident) => ({ change: 'settled', incident }) as const),
  ];
}

/**
 * Returns the time since which no other incident explains one of this kind. A warning stays explained until the alarm that
 * explained it has settled, because it is what remains of a problem that its owner knows.
 */
function unexplainedSince(
  kind: IncidentKind,
  {
    began,
    incidents,
    changes,
  }: {
    readonly began: Instant;
    readonly incidents: readonly Incident[];
    readonly changes: readonly IncidentChange[];
  },
): Instant {
  const { severity, explained_by } = INCIDENT_RULES[kind];
  const ended = [
    ...incidents,
    ...changes.flatMap((one) => (one.change === 'ended' ? [{ ...one.incident, ...one }] : [])),
  ];
  const ends = ended.flatMap((other) => {
    if (other.ended_at === null || !explained_by.includes(other.kind)) return [];
    return INCIDENT_RULES[other.kind].severity === severity ? other.ended_at : other.ended_at + SETTLED_AFTER_MS;
  });
  return Math.max(began, ...ends);
}

function continued(before: Streak | undefined, isFailure: boolean, at: Instant): Streak {
  const row = before === undefined ? 0 : isFailure ? before.failures : before.successes;
  return {
    failures: isFailure ? row + 1 : 0,
    successes: isFailure ? 0 : row + 1,
    since: before === undefined || row === 0 ? at : before.since,
  };
}

const isSame = (a: IncidentFacts, b: IncidentFacts): boolean =>
  Object.keys({ ...a, ...b }).every((name) => a[name] === b[name]);
