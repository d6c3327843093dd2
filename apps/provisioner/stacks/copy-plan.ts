import { isFolder, type HostFile } from '../ssh/types';
import { STACK_ROOT } from '../ssh/command';
import type { BackupNeeds } from './manifest';

/**
 * Returns the input of infra/host/copy.sh, one fact per line, separated by spaces. `path` and `exclude` are relative to
 * the deployment's folder unless they begin with a slash. `rendered` is a file written by the platform and excluded
 * from copies.
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
