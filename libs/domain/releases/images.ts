import { DAY_MS, HOUR_MS, type Instant } from '../time';

/** A container image as a manifest pins it. */
export interface ImagePin {
  /** Host of the registry, with its port if there is one. */
  readonly registry: string;
  readonly repository: string;
  readonly tag: string | null;
  /** `sha256:…`. Such an image can't change. */
  readonly digest: string | null;
}

const DOCKER_HUB = 'docker.io';
const REPOSITORY = /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*$/;
const TAG = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** Parses a pin such as `docker.io/traefik:v3.7.14`. Returns null for anything else, such as the version of a plugin. */
export function imagePin(pin: string): ImagePin | null {
  const [name = '', digest = null] = pin.split('@');
  const [, path = '', tag = null] = /^(.*?)(?::([^/:]+))?$/.exec(name) ?? [];
  const slash = path.indexOf('/');
  const first = path.slice(0, Math.max(slash, 0));
  const isHost = /[.:]/.test(first) || first === 'localhost';
  const registry = isHost ? first : DOCKER_HUB;
  const rest = isHost ? path.slice(slash + 1) : path;
  const repository = registry === DOCKER_HUB && !rest.includes('/') ? `library/${rest}` : rest;
  if (!REPOSITORY.test(repository) || (tag === null && digest === null)) return null;
  if ((tag !== null && !TAG.test(tag)) || (digest !== null && !DIGEST.test(digest))) return null;
  return { registry, repository, tag, digest };
}

/** Version in a tag: `v3.7.14-alpine` has the shape `v`, three numbers and `-alpine`. */
function numbersOf(tag: string): { readonly shape: string; readonly numbers: readonly number[] } | null {
  const [, prefix, version, suffix] = /^(v?)(\d{1,9}(?:\.\d{1,9})*)(-[a-z][A-Za-z0-9.-]*)?$/.exec(tag) ?? [];
  if (version === undefined) return null;
  const numbers = version.split('.').map(Number);
  return { shape: `${prefix ?? ''} ${numbers.length} ${suffix ?? ''}`, numbers };
}

const EXACT_NUMBERS = 3;

/** Returns whether a tag belongs to one version, as `v3.7.14` does. `latest`, `15-alpine` and `v3.6` follow the newest. */
export const isExactTag = (tag: string): boolean => (numbersOf(tag)?.numbers.length ?? 0) >= EXACT_NUMBERS;

/**
 * Returns the newest tag of the same shape that is newer than a pinned one, or null if there is none. Another shape is
 * another variant, a pre-release, or a tag that moves, such as `latest` or `v3`. A tag with one number, such as
 * `15-alpine`, was chosen for its major version, which a release can't replace.
 */
export function newerTag(pinned: string, tags: readonly string[]): string | null {
  const own = numbersOf(pinned);
  if (own === null || own.numbers.length === 1) return null;
  let newest = { tag: null as string | null, numbers: own.numbers };
  for (const tag of tags) {
    const other = numbersOf(tag);
    if (other?.shape === own.shape && isLater(other.numbers, newest.numbers)) newest = { tag, numbers: other.numbers };
  }
  return newest.tag;
}

function isLater(a: readonly number[], b: readonly number[]): boolean {
  const index = a.findIndex((number, position) => number !== b[position]);
  return index >= 0 && (a[index] ?? 0) > (b[index] ?? 0);
}

/** Results of the checks of a pinned image. */
export interface ImageState {
  /** Time of the last response that said whether the image exists. Null before the first one. */
  readonly checked_at: Instant | null;
  /** The last check got no such response. */
  readonly is_unreachable: boolean;
  readonly digest: string | null;
  /** Time at which the tag of one version was found with another digest than before. */
  readonly moved_at: Instant | null;
  /** Times of the first and the last of consecutive checks that did not find it. */
  readonly missing_from: Instant | null;
  readonly missing_to: Instant | null;
}

export const UNCHECKED_IMAGE: ImageState = {
  checked_at: null,
  is_unreachable: false,
  digest: null,
  moved_at: null,
  missing_from: null,
  missing_to: null,
};

/** Response of a registry about an image. `digest` is null if the registry did not report it. */
export type ImageFound =
  | { readonly state: 'found'; readonly digest: string | null }
  | { readonly state: 'missing' }
  | { readonly state: 'unreachable' };

/**
 * Returns the results after another check of an image.
 *
 * @param context `isExact` is false for a tag that is expected to move
 */
export function checkedImage(
  before: ImageState,
  found: ImageFound,
  { at, isExact }: { at: Instant; isExact: boolean },
): ImageState {
  if (found.state === 'unreachable') return { ...before, is_unreachable: true };
  const checked = { ...before, checked_at: at, is_unreachable: false };
  if (found.state === 'missing') return { ...checked, missing_from: before.missing_from ?? at, missing_to: at };
  const hasMoved = isExact && before.digest !== null && found.digest !== null && before.digest !== found.digest;
  return {
    ...checked,
    digest: found.digest ?? before.digest,
    moved_at: hasMoved ? at : before.moved_at,
    missing_from: null,
    missing_to: null,
  };
}

/** Minimum time between two checks that prove that an image was withdrawn. A registry can lose one for hours. */
const WITHDRAWN_MS = 20 * HOUR_MS;
/** Time for which a tag that was pushed again is reported. */
const MOVED_MS = 7 * DAY_MS;

export const isWithdrawnImage = ({ missing_from: from, missing_to: to }: ImageState): boolean =>
  from !== null && to !== null && to - from >= WITHDRAWN_MS;

export const isMovedImage = ({ moved_at }: ImageState, at: Instant): boolean =>
  moved_at !== null && at - moved_at < MOVED_MS;
