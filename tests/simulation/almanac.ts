import type { Played } from './play';

/** What the weather was over many histories, and how they ended. */
export interface Almanac {
  add(played: Played): void;
  /** In a few lines. */
  told(): string;
  /** Weather that should have been and was not, or too seldom; empty: all of it was. */
  missing(): string[];
}

/** How often each must have been, on average per history. */
const EXPECTED: Readonly<Record<string, number>> = {
  crashed: 1,
  'crashed inside': 1,
  leapt: 0.3,
  'leapt days': 0.05,
  doubled: 3,
  lost: 1,
  refused: 0.5,
  reordered: 3,
  inside: 10,
  blocked: 2,
  skewed: 1,
  'stepped back': 0.3,
  audited: 1,
  proven: 1,
  'settling threw': 0.1,
  'went on': 0.3,
  'ended unheard': 0.3,
  'told busy': 1,
  'answer kept': 0.05,
  rebooted: 0.5,
  'cut by a reboot': 0.4,
  'full disk': 0.5,
  'refused by a full disk': 0.1,
  'removed from a full disk': 0.3,
  'forgot everything': 0.2,
};
const ENDS = ['ACTIVE', 'READY', 'FAILED', 'DESTROYED'];
/** A place seen so often must have seen a crash too. */
const OFTEN = 1_000;

export function createAlmanac(): Almanac {
  let histories = 0;
  let steps = 0;
  const counts: Record<string, number> = {};
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
      sum(ends, played.statuses);
      for (const [place, { delayed, crashed }] of played.weather.places) {
        const seen = places.get(place) ?? { delayed: 0, crashed: 0 };
        places.set(place, { delayed: seen.delayed + delayed, crashed: seen.crashed + crashed });
      }
    },
    told() {
      const died = [...places.values()].filter(({ crashed }) => crashed > 0).length;
      const waited = [...places.values()].filter(({ delayed }) => delayed > 0).length;
      return [
        `${steps} steps`,
        `  weather: ${JSON.stringify(counts)}`,
        `  at ${places.size} places: somebody waited while others ran at ${waited} (${all('delayed')} times), died at ${died} (${all('crashed')} times)`,
        `  deployments in the end: ${JSON.stringify(ends)}`,
      ].join('\n');
    },
    missing() {
      const seldom = Object.entries(EXPECTED)
        .filter(([what, least]) => (counts[what] ?? 0) < least * histories)
        .map(([what]) => `${what}: ${counts[what] ?? 0} times in ${histories} histories`);
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
