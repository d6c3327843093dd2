import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `node scripts/releases.mjs`, after package-lock.json has changed: asks the registry when each new version was released,
 * notes it in releases.json, and refuses what is younger than a week: most packages that were taken over were found out
 * within a day. `--urgent "why"` takes a fix that cannot wait. `--check` asks nobody (scripts/dependencies.spec.ts).
 * releases-before.txt names what was in the lock before dates were noted; nothing is added to it.
 */
const AGE_DAYS_MIN = 7;
const DAY_MS = 86_400_000;

const option = (name) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
};
const folder = option('--folder') ?? '.';
const path = (name) => join(folder, name);
const FILE = path('scripts/releases.json');

const { packages } = JSON.parse(readFileSync(path('package-lock.json'), 'utf8'));
const before = new Set(readFileSync(path('scripts/releases-before.txt'), 'utf8').split('\n'));
const noted = JSON.parse(readFileSync(FILE, 'utf8'));
const MARK = 'node_modules/';
const locked = new Set(
  Object.entries(packages)
    .filter(([place, { link }]) => place.includes(MARK) && link !== true)
    .map(([place, { name, version }]) => `${name ?? place.slice(place.lastIndexOf(MARK) + MARK.length)}@${version}`),
);
const fresh = [...locked].filter((one) => !before.has(one)).sort();

function whatIsWrong(one, { released, added, urgent } = {}) {
  const age_ms = Date.parse(added) - Date.parse(released);
  if (Number.isNaN(age_ms)) return `${one}: no date of its release is noted`;
  if (age_ms >= AGE_DAYS_MIN * DAY_MS || (typeof urgent === 'string' && urgent.trim() !== '')) return undefined;
  return `${one}: released ${released}, less than ${AGE_DAYS_MIN} days before ${added}`;
}

const kept = process.argv.includes('--check') ? noted : withNew();
const wrong = fresh.map((one) => whatIsWrong(one, kept[one])).filter((sentence) => sentence !== undefined);
for (const sentence of wrong) console.error(sentence);
if (wrong.length === 0 && kept !== noted) writeFileSync(FILE, `${JSON.stringify(kept, null, 2)}\n`);
process.exit(wrong.length === 0 ? 0 : 1);

/** What is noted of versions that are still in the lock, and what the registry says of the others. */
function withNew() {
  const added = new Date().toISOString();
  const urgent = option('--urgent');
  return Object.fromEntries(
    fresh.map((one) => {
      if (noted[one] !== undefined) return [one, noted[one]];
      const [name, version] = [one.slice(0, one.lastIndexOf('@')), one.slice(one.lastIndexOf('@') + 1)];
      const times = JSON.parse(execFileSync('npm', ['view', name, 'time', '--json'], { encoding: 'utf8' }));
      return [one, { released: times[version], added, ...(urgent === undefined ? {} : { urgent }) }];
    }),
  );
}
