/** Kinds of releases, the most urgent first. */
export const RELEASE_KINDS = ['security', 'patch', 'minor'] as const;
export type ReleaseKind = (typeof RELEASE_KINDS)[number];

/** A version of a package, with the images that belong together. */
export interface Release {
  readonly version: string;
  readonly kind: ReleaseKind;
  /** It migrates the data at its first start, so that the release before it can no longer read the data. */
  readonly migrates: boolean;
  /** Versions from which a deployment can be updated to it. Omitted for the version before it (`isReachable`). */
  readonly from?: readonly string[] | undefined;
  /** Last day on which its makers fix security problems, as `YYYY-MM-DD`. Null if they have not announced one. */
  readonly supported_until: string | null;
}

/**
 * Returns the release that a deployment runs, or null if the version is unknown. Deployments from before there were
 * releases run the first one.
 *
 * @param releases all releases of the package, the oldest first
 */
export function runningRelease<R extends Release>(releases: readonly R[], version: string | null): R | null {
  return (version === null ? releases[0] : releases.find((release) => release.version === version)) ?? null;
}

/** Returns the releases after a version, the oldest first. */
export function newerReleases<R extends Release>(releases: readonly R[], version: string | null): R[] {
  const running = runningRelease(releases, version);
  return running === null ? [] : releases.slice(releases.indexOf(running) + 1);
}

/** Decisions of administrators about releases, as they affect a deployment. */
export interface ReleaseDecisions<R extends Release> {
  /** Returns whether a release has been rolled out to the deployment. */
  readonly isOffered: (release: R) => boolean;
  readonly isWithdrawn: (release: R) => boolean;
}

/**
 * Returns whether a deployment with this version can be updated to a release in one step. A withdrawn release that does
 * not migrate the data is skipped, because otherwise nothing would lead past it.
 */
export function isReachable<R extends Release>(
  releases: readonly R[],
  version: string | null,
  to: R,
  { isWithdrawn }: Pick<ReleaseDecisions<R>, 'isWithdrawn'>,
): boolean {
  const running = runningRelease(releases, version);
  const newer = newerReleases(releases, version);
  if (running === null || !newer.includes(to)) return false;
  if (to.from !== undefined) return to.from.includes(running.version);
  return newer.slice(0, newer.indexOf(to)).every((skipped) => isWithdrawn(skipped) && !skipped.migrates);
}

/** Updates that happen without being asked for. Each includes the ones before it. */
export const AUTOMATIC_UPDATES = ['off', ...RELEASE_KINDS] as const;
export type AutomaticUpdates = (typeof AUTOMATIC_UPDATES)[number];

/** Maximum length of a window, which would otherwise allow updates at any time of the day. */
export const UPDATE_WINDOW_HOURS_MAX = 12;

/** Settings of an owner who has not changed them. The window is at night in most time zones of Europe. */
export const DEFAULT_UPDATE_SETTINGS = {
  automatic: 'off',
  is_held: false,
  days: [0, 1, 2, 3, 4, 5, 6],
  hour: 2,
  hours: 3,
  time_zone: 'UTC',
} as const satisfies { readonly automatic: AutomaticUpdates } & Readonly<Record<string, unknown>>;

/** Returns whether a release of this kind is installed automatically. */
export const includesKind = (automatic: AutomaticUpdates, kind: ReleaseKind): boolean =>
  automatic !== 'off' && RELEASE_KINDS.indexOf(kind) <= RELEASE_KINDS.indexOf(automatic);

/**
 * Returns the newest release to which a deployment can be updated in one step, or null if there is none. An automatic
 * update never brings a release of another kind along, not even one that it skips.
 */
export function nextRelease<R extends Release>(
  releases: readonly R[],
  version: string | null,
  { isOffered, isWithdrawn, automatic }: ReleaseDecisions<R> & { readonly automatic?: AutomaticUpdates },
): R | null {
  const newer = newerReleases(releases, version);
  const candidates = newer.filter(
    (release, index) =>
      isOffered(release) &&
      isReachable(releases, version, release, { isWithdrawn }) &&
      (automatic === undefined || newer.slice(0, index + 1).every(({ kind }) => includesKind(automatic, kind))),
  );
  return candidates.at(-1) ?? null;
}

/** Returns the version that runs after all updates that are possible now, one after the other. */
function lastVersion<R extends Release>(
  releases: readonly R[],
  version: string | null,
  context: ReleaseDecisions<R> & { readonly automatic?: AutomaticUpdates },
): string | null {
  const next = nextRelease(releases, version, context);
  return next === null ? version : lastVersion(releases, next.version, context);
}

/**
 * Returns whether automatic updates never reach an offered release that they include, because one of another kind comes
 * before it. The owner can get it by updating.
 */
export function waitsForOwner<R extends Release>(
  releases: readonly R[],
  version: string | null,
  { automatic, ...decisions }: ReleaseDecisions<R> & { readonly automatic: AutomaticUpdates },
): boolean {
  const automatically = lastVersion(releases, version, { ...decisions, automatic });
  const beyond = newerReleases(releases, lastVersion(releases, automatically, decisions));
  return newerReleases(releases, automatically).some(
    (release) => decisions.isOffered(release) && includesKind(automatic, release.kind) && !beyond.includes(release),
  );
}

/** Returns the release of a new deployment, which is the newest that is offered. The first is always available. */
export function releaseForNew<R extends Release>(releases: readonly R[], isOffered: (release: R) => boolean): R | null {
  return releases.findLast(isOffered) ?? releases[0] ?? null;
}

/** Returns why these releases contradict each other. The list is empty if they do not. */
export function releaseProblems(releases: readonly Release[]): string[] {
  const versions = releases.map(({ version }) => version);
  return releases.flatMap(({ version, from }, index) => {
    const before = versions.slice(0, index);
    return [
      ...(before.includes(version) ? [`release ${version} is listed twice`] : []),
      ...(index === 0 && from !== undefined ? [`release ${version} is the first, so nothing leads to it`] : []),
      ...(from ?? [])
        .filter((each) => index > 0 && !before.includes(each))
        .map((each) => `release ${version} can't be reached from ${each}, which is not listed before it`),
    ];
  });
}
