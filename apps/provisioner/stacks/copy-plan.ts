import { isFolder, type HostFile } from '../ssh/types';
import { STACK_ROOT } from '../ssh/command';
import type { BackupNeeds } from './manifest';

/**
 * What infra/host/copy.sh reads: one fact a line, words without blanks. `path` and `exclude` lead from the deployment's
 * folder, or begin with a slash. `rendered`: a file that the platform writes, which is in no copy.
 */
export function copyPlan({
  needs,
  rendered,
  ref,
}: {
  needs: BackupNeeds;
  rendered: readonly HostFile[];
  ref: string;
}): string {
  const root = `${STACK_ROOT}/${ref}/`;
  const lines = [
    ...needs.dumps.map((dump) =>
      'sqlite' in dump
        ? `dump sqlite ${dump.name} ${dump.sqlite} ${dump.optional ? 'optional' : 'required'}`
        : `dump postgres ${dump.name} ${dump.postgres} ${dump.user} ${dump.database}`,
    ),
    ...needs.volumes.map(({ name, stop }) => `volume ${name} ${stop ?? '-'}`),
    ...needs.paths.map((path) => `path ${path}`),
    ...needs.exclude.map((path) => `exclude ${path}`),
    ...needs.keep_running.map((service) => `keep ${service}`),
    ...rendered.filter((file) => !isFolder(file)).map(({ path }) => `rendered ${path.slice(root.length)}`),
  ];
  return `${lines.join('\n')}\n`;
}
