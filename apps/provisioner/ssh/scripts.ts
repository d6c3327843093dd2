import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SCRIPT_END } from './command';
import { HOST_SCRIPTS, type HostScriptName } from './host-scripts';

/** Script texts of infra/host, read once at the start. Each is complete and includes the shared beginning and end. */
export abstract class HostScripts {
  abstract readonly of: Readonly<Record<HostScriptName, string>>;
}

export async function readHostScripts(folder: string): Promise<HostScripts> {
  const read = (name: string): Promise<string> => readFile(join(folder, `${name}.sh`), 'utf8');
  const common = await read('common');
  const stack = await read('stack');
  const copy = await read('copy');
  const run = await read('run');
  const texts = await Promise.all(
    HOST_SCRIPTS.map(async (name): Promise<[HostScriptName, string]> => {
      const steps = await read(name);
      return [name, `${common}${stack}${copy}steps() {\n${steps}}\n${run}${SCRIPT_END}\n`];
    }),
  );
  return { of: Object.fromEntries(texts) as Record<HostScriptName, string> };
}
