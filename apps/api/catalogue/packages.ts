import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { factsProblems, type PackageFacts, packageFacts } from '@moorage/contracts';
import { parse } from 'yaml';

/** Packages of this installation, read once at start-up. */
export abstract class PackageManifests {
  /** Returns the packages that customers see, sorted by display name. */
  abstract listed(): readonly PackageFacts[];
  /** Finds a package. Includes hidden packages, which are ordered by name and do not exist in production. */
  abstract find(name: string): PackageFacts | null;
}

/** Reads one folder per package with a `manifest.yaml`. An invalid manifest stops the start, and the error names it. */
export function readPackages({ folder, production }: { folder: string; production: boolean }): PackageManifests {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  const read = new Map(names.map((name) => [name, readManifest(join(folder, name, 'manifest.yaml'))]));
  for (const [name, facts] of read) {
    const problems = factsProblems(facts, { folder: name, baseOf: (other) => read.get(other)?.base });
    if (problems.length > 0) throw new Error(`package ${name}: ${problems.join('; ')}`);
  }
  return packagesOf([...read.values()], { production });
}

export function packagesOf(all: readonly PackageFacts[], { production }: { production: boolean }): PackageManifests {
  const known = new Map(all.filter((facts) => !(production && facts.hidden)).map((facts) => [facts.name, facts]));
  const listed = [...known.values()]
    .filter(({ hidden }) => !hidden)
    .sort((a, b) => (a.display_name < b.display_name ? -1 : 1));
  return { listed: () => listed, find: (name) => known.get(name) ?? null };
}

function readManifest(file: string): PackageFacts {
  const parsed = packageFacts.safeParse(parse(readFileSync(file, 'utf8')));
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`${file} is not a manifest: ${problems.join('; ')}`);
  }
  return parsed.data;
}
