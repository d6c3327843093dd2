import type { AdminUserAnswer, DeploymentAnswer } from '@moorage/contracts';
import type { Recent } from '../../data/recent';
import type { Found } from '../../data/search';

/** A search result with a destination, or with something it does. */
export type Hit = {
  /** The same result has the same key, wherever it was found. */
  readonly key: string;
  readonly group: 'recent' | 'screens' | 'actions' | 'deployments' | 'users';
  readonly name: string;
} & (
  | { readonly kind: 'action'; readonly run: () => void }
  | { readonly kind: 'screen'; readonly to: string }
  | {
      readonly kind: 'deployment';
      readonly to: string;
      readonly id: number;
      readonly deployment: DeploymentAnswer | null;
    }
  | { readonly kind: 'user'; readonly to: string; readonly id: number; readonly user: AdminUserAnswer | null }
);

/** Something the search does at once. */
export interface Act {
  readonly key: string;
  readonly label: string;
  readonly run: () => void;
}

export interface Screen {
  readonly to: string;
  readonly label: string;
}

/**
 * Returns the results for the input in display order. Local results come first, so that later results from the server
 * appear below and never move the selection. Empty input returns recent records and screens.
 */
export function hitsFor(
  typed: string,
  {
    screens,
    acts,
    recent,
    found,
    backupsOf,
  }: {
    screens: readonly Screen[];
    /** Offered only once something is typed, so that the list begins with places. */
    acts: readonly Act[];
    recent: readonly Recent[];
    found: Found;
    /** Returns the name of a deployment's backups page. */
    backupsOf: (name: string) => string;
  },
): readonly Hit[] {
  const term = typed.trim().toLowerCase();
  const places = screens.map(({ to, label }): Hit => ({
    kind: 'screen',
    key: `screen ${to}`,
    group: 'screens',
    to,
    name: label,
  }));
  // Listed only once something is typed, otherwise it would repeat the recent records.
  const ofRecent = recent
    .filter(({ kind }) => kind === 'deployment')
    .map(({ id, name }): Hit => {
      const to = `/deployments/${id}/backups`;
      return { kind: 'screen', key: `screen ${to}`, group: 'screens', to, name: backupsOf(nameOf(id, name)) };
    });
  if (term === '') return [...recent.map((each) => recentHit(each, undefined)), ...places];

  // While the response for the current term is pending, show the previous results that still match.
  const isLast = found.term.toLowerCase() !== term;
  const theirs = [...found.deployments.map(deploymentHit), ...found.users.map(userHit)].filter(
    (hit) => !isLast || fits(hit, term),
  );
  const ours = recent
    .map((each) =>
      recentHit(
        each,
        theirs.find(({ key }) => key === keyOf(each)),
      ),
    )
    .filter((hit) => fits(hit, term));
  const known = new Set(ours.map(({ key }) => key));
  return [
    ...places.filter(({ name }) => hasWord(name.toLowerCase(), term)),
    ...acts
      .filter(({ label }) => hasWord(label.toLowerCase(), term))
      .map(({ key, label, run }): Hit => ({
        kind: 'action',
        key: `action ${key}`,
        group: 'actions',
        name: label,
        run,
      })),
    ...ofRecent.filter(({ name }) => name.toLowerCase().startsWith(term)),
    ...ours,
    ...theirs.filter(({ key }) => !known.has(key)),
  ];
}

/** Parses a number such as `1053` or `#1053`. Returns null for anything else. */
export function numberIn(term: string): number | null {
  const digits = /^#?([1-9]\d{0,8})$/.exec(term)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Returns whether a word begins with the term. `b` matches Billing, not everything that contains a b. */
function hasWord(text: string, term: string): boolean {
  return text.startsWith(term) || text.includes(` ${term}`);
}

function fits(hit: Hit, term: string): boolean {
  if (hit.kind === 'screen' || hit.kind === 'action') return hasWord(hit.name.toLowerCase(), term);
  if (hit.id === numberIn(term)) return true;
  const more =
    hit.kind === 'user'
      ? [hit.user?.email]
      : [hit.deployment?.package, hit.deployment?.domain, hit.deployment?.user?.username, hit.deployment?.user?.email];
  return [hit.name, ...more].some((text) => text?.toLowerCase().includes(term) === true);
}

const nameOf = (id: number, name: string): string => (name === '' ? `deployment-${id}` : name);

const keyOf = ({ kind, id }: Pick<Recent, 'kind' | 'id'>): string => `${kind} ${id}`;

const addressOf = ({ kind, id }: Pick<Recent, 'kind' | 'id'>): string =>
  kind === 'deployment' ? `/deployments/${id}` : `/users/${id}/show`;

/** Uses the server's version of a recent record if it was found there too. */
function recentHit(each: Recent, now: Hit | undefined): Hit {
  if (now !== undefined) return { ...now, group: 'recent' };
  const { kind, id, name } = each;
  const hit = { key: keyOf(each), group: 'recent', to: addressOf(each), id, name: nameOf(id, name) } as const;
  return kind === 'deployment' ? { ...hit, kind, deployment: null } : { ...hit, kind, user: null };
}

function deploymentHit(deployment: DeploymentAnswer): Hit {
  const { id } = deployment;
  const name = nameOf(id, deployment.client_name);
  const each = { kind: 'deployment', id } as const;
  return { ...each, key: keyOf(each), group: 'deployments', to: addressOf(each), name, deployment };
}

function userHit(user: AdminUserAnswer): Hit {
  const { id, username: name } = user;
  const each = { kind: 'user', id } as const;
  return { ...each, key: keyOf(each), group: 'users', to: addressOf(each), name, user };
}
