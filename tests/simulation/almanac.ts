import type { Played } from './play';

/** What the weather was over many histories, and how they ended. */
export interface Almanac {
  add(played: Played): void;
  /** In a few lines. */
  told(): string;
  /** Weather that should have been and was not, or too seldom; empty: all of it was. */
  missing(): string[];
}

/** The share of histories that see each, a little below what was measured. */
const EXPECTED: Readonly<Record<string, number>> = {
  crashed: 0.95,
  'crashed inside': 0.85,
  leapt: 0.7,
  'leapt days': 0.4,
  doubled: 0.85,
  lost: 0.85,
  refused: 0.5,
  reordered: 0.9,
  inside: 0.95,
  blocked: 0.95,
  skewed: 0.9,
  'stepped back': 0.65,
  audited: 0.95,
  proven: 0.95,
  'settling threw': 0.2,
  'went on': 0.3,
  'ended unheard': 0.3,
  'told busy': 0.25,
  'answer kept': 0.1,
  rebooted: 0.65,
  'cut by a reboot': 0.55,
  'full disk': 0.65,
  'refused by a full disk': 0.25,
  'removed from a full disk': 0.45,
  'forgot everything': 0.45,
};
/** What is called too seldom is so by chance once in so many looks at one kind of weather. */
const BY_CHANCE = 1 / 100_000;
const ENDS = ['ACTIVE', 'READY', 'FAILED', 'DESTROYED'];
/** A place seen so often must have seen a crash too. */
const OFTEN = 1_000;

export function createAlmanac(): Almanac {
  let histories = 0;
  let steps = 0;
  const counts: Record<string, number> = {};
  /** In how many histories each was. */
  const seen: Record<string, number> = {};
  const ends: Record<string, number> = {};
  const places = new Map<string, { delayed: number; crashed: number }>();
  const sum = (into: Record<string, number>, from: Readonly<Record<string, number>>): void => {
    for (const [what, count] of Object.entries(from)) into[what] = (into[what] ?? 0) + count;
  };
  const all = (what: 'delayed' | 'crashed'): number =>
    [...places.values()].reduce((total, seen) => total + seen[what], 0);

  return {
    add(played) {
      histories++;
      steps += played.steps;
      sum(counts, played.weather.counts);
      for (const what of Object.keys(played.weather.counts)) seen[what] = (seen[what] ?? 0) + 1;
      sum(ends, played.statuses);
      for (const [place, { delayed, crashed }] of played.weather.places) {
        const before = places.get(place) ?? { delayed: 0, crashed: 0 };
        places.set(place, { delayed: before.delayed + delayed, crashed: before.crashed + crashed });
      }
    },
    told() {
      const died = [...places.values()].filter(({ crashed }) => crashed > 0).length;
      const waited = [...places.values()].filter(({ delayed }) => delayed > 0).length;
      return [
        `${steps} steps`,
        `  weather: ${JSON.stringify(counts)}`,
        `  at ${places.size} places: somebody waited while others ran at ${waited} (${all('delayed')} times), died at ${died} (${all('crashed')} times)`,
        `  histories with it: ${JSON.stringify(seen)}`,
        `  deployments in the end: ${JSON.stringify(ends)}`,
      ].join('\n');
    },
    missing() {
      const seldom = Object.entries(EXPECTED)
        .filter(([what, share]) => atMost(seen[what] ?? 0, histories, share) < BY_CHANCE)
        .map(([what]) => `${what}: in ${seen[what] ?? 0} of ${histories} histories`);
      const spared = [...places]
        .filter(([, { delayed, crashed }]) => delayed >= OFTEN && crashed === 0)
        .map(([place, { delayed }]) => `${place}: nobody died there in ${delayed} passings`);
      const unseen = ENDS.filter((status) => ends[status] === undefined).map(
        (status) => `no deployment ended ${status}`,
      );
      return [...seldom, ...spared, ...unseen];
    },
  };
}

/** How probable it is that at most `seen` of so many histories see what each sees with this probability. */
export function atMost(seen: number, histories: number, share: number): number {
  let exactly = (1 - share) ** histories;
  let sum = exactly;
  for (let count = 1; count <= seen; count++) {
    exactly *= ((histories - count + 1) / count) * (share / (1 - share));
    sum += exactly;
  }
  return sum;
}
